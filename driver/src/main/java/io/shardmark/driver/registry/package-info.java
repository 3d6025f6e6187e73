/** The registry of benchmarks: the one place that names them. Immutable. */
@NullMarked
package io.shardmark.driver.registry;

import org.jspecify.annotations.NullMarked;
