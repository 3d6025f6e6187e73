/**
 * What a benchmark's tests of TPC-C clause 3 are to the verb {@code acid}: tests, results, and ways
 * to make a system fail.
 */
@NullMarked
package io.shardmark.driver.acid;

import org.jspecify.annotations.NullMarked;
