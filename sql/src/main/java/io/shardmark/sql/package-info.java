/**
 * What is said to a database: SQL scripts and their runner, dialects, JDBC connections. No TPC-C
 * rule lives here.
 */
@NullMarked
package io.shardmark.sql;

import org.jspecify.annotations.NullMarked;
