/** PostgreSQL's hash partitioning, bit for bit. Pure functions; any thread. */
@NullMarked
package io.shardmark.sql.hash;

import org.jspecify.annotations.NullMarked;
