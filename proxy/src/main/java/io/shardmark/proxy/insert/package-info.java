/**
 * INSERT ... SELECT whose rows go to other shards than those that give them: the query is executed
 * once, and each shard inserts its rows in one statement. Runs on the client's event loop.
 */
@NullMarked
package io.shardmark.proxy.insert;

import org.jspecify.annotations.NullMarked;
