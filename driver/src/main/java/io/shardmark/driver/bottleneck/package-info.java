/**
 * What limited a run: the driver, its machine, the server's processors and disks, or what the
 * server's sessions waited for. Computed once from measured figures and the same wherever it is
 * shown. Pure.
 */
@NullMarked
package io.shardmark.driver.bottleneck;

import org.jspecify.annotations.NullMarked;
