/**
 * The one reader of result directories: a finished or cut-short one, Shardmark's or BenchmarkSQL
 * 5's, becomes an immutable {@link io.shardmark.driver.results.reader.RunData}, which is a {@link
 * io.shardmark.driver.results.RunResult} and what the other files have over time. Knows files and
 * arithmetic, nothing of pages and nothing of a running driver. One thread, memory bounded whatever
 * the length of the run.
 */
@NullMarked
package io.shardmark.driver.results.reader;

import org.jspecify.annotations.NullMarked;
