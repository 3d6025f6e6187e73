/**
 * Opens connections: finds the JDBC driver, sets what each database needs, says in one line what is
 * wrong when it fails, and makes pools of fixed size. The only package that knows HikariCP and
 * driver properties. Thread-safe; opening blocks.
 */
@NullMarked
package io.shardmark.sql.jdbc;

import org.jspecify.annotations.NullMarked;
