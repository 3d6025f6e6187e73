/** Tests of reading result directories: ours, BenchmarkSQL's, cut, empty and hostile ones. */
@NullMarked
package io.shardmark.driver.results.reader;

import org.jspecify.annotations.NullMarked;
