/**
 * Moves partitions from one shard to another while clients read and write. {@link MoveState} has
 * the rules and is pure; a move's stage is written on its source shard, so that any proxy can end
 * what another has begun. The rest works over JDBC on background threads.
 */
@NullMarked
package io.shardmark.proxy.growth;

import org.jspecify.annotations.NullMarked;
