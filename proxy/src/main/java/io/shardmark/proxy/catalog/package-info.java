/**
 * Reads the shards' catalogs and makes the shard map of them; checks the cluster at start. Uses
 * JDBC on its own threads, never an event loop.
 */
@NullMarked
package io.shardmark.proxy.catalog;

import org.jspecify.annotations.NullMarked;
