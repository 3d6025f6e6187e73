/** Tests of what settings promise, without a server. */
@NullMarked
package io.shardmark.driver.guarantees;

import org.jspecify.annotations.NullMarked;
