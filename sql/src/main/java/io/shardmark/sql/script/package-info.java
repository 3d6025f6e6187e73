/**
 * SQL scripts as BenchmarkSQL's users know them: found by step name in the working directory or
 * among the built-in ones, parsed by BenchmarkSQL's rules, and run statement by statement. Used by
 * one thread at a time.
 */
@NullMarked
package io.shardmark.sql.script;

import org.jspecify.annotations.NullMarked;
