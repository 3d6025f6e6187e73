/** Tests of the package of the same name. */
@NullMarked
package io.shardmark.driver.live;

import org.jspecify.annotations.NullMarked;
