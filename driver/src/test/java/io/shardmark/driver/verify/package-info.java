/** Tests of the consistency conditions on real databases. */
@NullMarked
package io.shardmark.driver.verify;

import org.jspecify.annotations.NullMarked;
