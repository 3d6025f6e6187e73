/**
 * Reads a finished or cut-short result directory, ours or BenchmarkSQL 5's, into an immutable
 * {@link io.shardmark.driver.report.RunData}. Knows files and arithmetic, nothing of pages and
 * nothing of a running driver. One thread, memory bounded whatever the length of the run.
 */
@NullMarked
package io.shardmark.driver.report;

import org.jspecify.annotations.NullMarked;
