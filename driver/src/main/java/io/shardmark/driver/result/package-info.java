/**
 * The result directory of a run: BenchmarkSQL's files, and with them {@code summary.json},
 * per-second aggregates and a histogram log. {@link io.shardmark.driver.result.ResultFiles} is
 * called by the collector thread; the rest runs before and after the measurement interval.
 */
@NullMarked
package io.shardmark.driver.result;

import org.jspecify.annotations.NullMarked;
