/**
 * Real PostgreSQL servers that we start ourselves: {@code conn=embedded:postgres}, and several of
 * them behind a sharding proxy: {@code conn=embedded:sharded}. Each runs in its own process,
 * listens on 127.0.0.1 only and ends with the process that started it, however that ends. Shells
 * only; blocks the calling thread.
 */
@NullMarked
package io.shardmark.sql.embedded;

import org.jspecify.annotations.NullMarked;
