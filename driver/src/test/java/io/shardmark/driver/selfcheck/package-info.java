/** Tests of what the process says of itself. */
@NullMarked
package io.shardmark.driver.selfcheck;

import org.jspecify.annotations.NullMarked;
