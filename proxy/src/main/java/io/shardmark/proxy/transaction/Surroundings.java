package io.shardmark.proxy.transaction;

import io.netty.channel.EventLoop;
import io.shardmark.proxy.commit.GidSequence;
import io.shardmark.proxy.metrics.LoopCounters;
import java.util.List;

/**
 * What all ends of transactions on one event loop share.
 *
 * @param shardNames by index
 */
public record Surroundings(
    EventLoop loop,
    List<String> shardNames,
    LoopCounters counters,
    GidSequence gids,
    Recoverer recoverer,
    Patience patience) {}
