/** Tests of the verdict on a run, without a run. */
@NullMarked
package io.shardmark.driver.verdict;

import org.jspecify.annotations.NullMarked;
