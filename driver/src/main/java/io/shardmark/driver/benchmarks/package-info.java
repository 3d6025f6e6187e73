/** The list of benchmarks: the one place that names them. Immutable. */
@NullMarked
package io.shardmark.driver.benchmarks;

import org.jspecify.annotations.NullMarked;
