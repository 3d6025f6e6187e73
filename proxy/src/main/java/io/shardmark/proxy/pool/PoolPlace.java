package io.shardmark.proxy.pool;

import io.netty.channel.EventLoop;
import io.shardmark.proxy.metrics.LoopCounters;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What the pools of a loop share.
 *
 * @param shardNames by index; one more is appended on the loop when it counts
 * @param replicated shards that may get another primary while they have none: clients wait for it
 * @param budgets that all loops share
 */
public record PoolPlace(
    EventLoop loop,
    ServerConnector connector,
    LoopCounters counters,
    List<String> shardNames,
    Set<Integer> replicated,
    Budgets budgets) {
  public PoolPlace {
    shardNames = new CopyOnWriteArrayList<>(shardNames);
    replicated = Set.copyOf(replicated);
  }

  /** As the event loop's timers count it. */
  long nanoTime() {
    return loop.ticker().nanoTime();
  }
}
