/**
 * {@code workload=script:FILE.sql}: transactions of the user's own, written as pgbench's script
 * files are, on the user's own tables. A file is read once, before the run, into a tree of {@link
 * Step}s; terminals draw which file is next, executors run its steps.
 */
@NullMarked
package io.shardmark.driver.script;

import org.jspecify.annotations.NullMarked;
