/** Tests of the BMT. */
@NullMarked
package io.shardmark.driver.bmt;

import org.jspecify.annotations.NullMarked;
