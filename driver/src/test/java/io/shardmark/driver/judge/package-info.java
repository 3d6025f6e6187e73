/** Tests of judges, without a run. */
@NullMarked
package io.shardmark.driver.judge;

import org.jspecify.annotations.NullMarked;
