/**
 * Adds shards, and moves partitions to another shard, while clients read and write. {@link
 * AdditionState} and {@link MoveState} have the rules and are pure; the stage is written on the
 * first or the source shard, so that any proxy ends what another has begun. The rest works over
 * JDBC on background threads.
 */
@NullMarked
package io.shardmark.proxy.growth;

import org.jspecify.annotations.NullMarked;
