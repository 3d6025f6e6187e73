/**
 * From facts about a statement, the shard map and values to the shards it needs: plans and their
 * cache, routes, keys read from parameters. Pure; plans are immutable and shared by all threads.
 */
@NullMarked
package io.shardmark.proxy.routing;

import org.jspecify.annotations.NullMarked;
