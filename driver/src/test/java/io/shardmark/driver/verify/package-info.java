/** Tests of how conditions are read. */
@NullMarked
package io.shardmark.driver.verify;

import org.jspecify.annotations.NullMarked;
