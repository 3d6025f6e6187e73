/**
 * The model of a run's result: plain records that are computed once, at the end of a run, and read
 * by console, report, comparison, merge, sweep and thresholds. {@code summary.json} is this model,
 * bound by Jackson; {@link io.shardmark.driver.results.SummaryFile} writes and reads it. Knows no
 * benchmark and no other package of the driver. {@link io.shardmark.driver.results.Texts} is how
 * sentences and tables show figures. Everything here is immutable and safe on any thread.
 */
@NullMarked
package io.shardmark.driver.results;

import org.jspecify.annotations.NullMarked;
