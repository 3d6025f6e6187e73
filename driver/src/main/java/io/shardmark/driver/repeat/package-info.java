/**
 * Repeats published tests: a data set under {@code results/published-*} says which runs make its
 * tables, a sweep makes them, and a comparison puts their figures into the source's tables. One
 * thread.
 */
@NullMarked
package io.shardmark.driver.repeat;

import org.jspecify.annotations.NullMarked;
