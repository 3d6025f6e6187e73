/**
 * Figures of the observed machine's operating system during a run, in BenchmarkSQL's files {@code
 * sys_info.csv}, {@code blk_X.csv} and {@code net_X.csv}. A separate daemon thread collects and
 * writes; a fault here is a warning and never ends the run. Parsing and arithmetic are pure.
 */
@NullMarked
package io.shardmark.driver.oscollector;

import org.jspecify.annotations.NullMarked;
