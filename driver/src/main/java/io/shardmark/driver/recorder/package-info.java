/**
 * Makes the result of a run and its directory: BenchmarkSQL's files, and with them {@code
 * summary.json}, per-second aggregates and a histogram log. {@link
 * io.shardmark.driver.recorder.ResultFiles} is called by the collector thread; the rest runs before
 * and after the measurement interval.
 */
@NullMarked
package io.shardmark.driver.recorder;

import org.jspecify.annotations.NullMarked;
