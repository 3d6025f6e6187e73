/**
 * Benchmarks: JMH for hot paths, and the programs that {@code src/test/bench} times against other
 * tools. Run by hand; no test depends on a time.
 */
@NullMarked
package io.shardmark.bench;

import org.jspecify.annotations.NullMarked;
