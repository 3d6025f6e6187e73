/**
 * Deadlocks that no single shard can see: who waits for whom on every shard, joined through the
 * transactions that are on several, and the youngest of a cycle cancelled. Uses JDBC on a thread of
 * its own, never an event loop; the graph is pure.
 */
@NullMarked
package io.shardmark.proxy.deadlock;

import org.jspecify.annotations.NullMarked;
