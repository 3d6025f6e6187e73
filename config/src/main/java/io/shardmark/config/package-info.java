/**
 * The description of a run: the properties files of BenchmarkSQL and their extensions, read and
 * checked once. Immutable values, safe on any thread.
 */
@NullMarked
package io.shardmark.config;

import org.jspecify.annotations.NullMarked;
