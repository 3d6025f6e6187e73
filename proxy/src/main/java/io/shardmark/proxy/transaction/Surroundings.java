package io.shardmark.proxy.transaction;

import io.netty.channel.EventLoop;
import io.shardmark.proxy.commit.GidSequence;
import io.shardmark.proxy.metrics.LoopCounters;
import java.util.List;
import java.util.Set;

/**
 * What all ends of transactions on one event loop share.
 *
 * @param shardNames by index
 * @param replicated shards that have standbys
 */
public record Surroundings(
    EventLoop loop,
    List<String> shardNames,
    Set<Integer> replicated,
    LoopCounters counters,
    GidSequence gids,
    Recoverer recoverer,
    Patience patience) {}
