/**
 * Which of a shard's hosts is its primary. {@link io.shardmark.proxy.standby.ShardPrimary} has the
 * rules: pure, a value, events in and effects out. {@link io.shardmark.proxy.standby.HostWatch}
 * asks the hosts, each on a thread of its own, and does what the rules say. Each proxy looks for
 * itself: nothing is elected or promoted here.
 */
@NullMarked
package io.shardmark.proxy.standby;

import org.jspecify.annotations.NullMarked;
