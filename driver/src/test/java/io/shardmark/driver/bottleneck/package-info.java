/** Tests of what is said to have limited a run, without a run. */
@NullMarked
package io.shardmark.driver.bottleneck;

import org.jspecify.annotations.NullMarked;
