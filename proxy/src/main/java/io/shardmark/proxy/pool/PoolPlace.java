package io.shardmark.proxy.pool;

import io.netty.channel.EventLoop;
import io.shardmark.proxy.metrics.LoopCounters;
import java.util.List;

/**
 * What the pools of a loop share.
 *
 * @param shardNames by index
 * @param budgets that all loops share
 */
public record PoolPlace(
    EventLoop loop,
    ServerConnector connector,
    LoopCounters counters,
    List<String> shardNames,
    Budgets budgets) {
  public PoolPlace {
    shardNames = List.copyOf(shardNames);
  }

  /** As the event loop's timers count it. */
  long nanoTime() {
    return loop.ticker().nanoTime();
  }
}
