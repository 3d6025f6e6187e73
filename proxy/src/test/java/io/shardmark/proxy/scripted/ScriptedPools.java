package io.shardmark.proxy.scripted;

import io.netty.channel.embedded.EmbeddedChannel;
import io.shardmark.config.proxy.PoolConfig;
import io.shardmark.config.proxy.PoolConfig.PoolMode;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.pool.Budgets;
import io.shardmark.proxy.pool.LoopPools;
import io.shardmark.proxy.pool.PoolPlace;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The pools of one event loop, whose servers are scripted and whose time a test lets pass. */
public final class ScriptedPools {
  /** Its event loop is that of the pools. */
  private final EmbeddedChannel clock = new EmbeddedChannel();

  private final ScriptedConnector connector = new ScriptedConnector();
  private final LoopCounters counters;
  private final LoopPools pools;

  public ScriptedPools(int shards, PoolConfig limits) {
    List<String> names = IntStream.rangeClosed(1, shards).mapToObj(shard -> "s" + shard).toList();
    Set<Integer> replicated = IntStream.range(0, shards).boxed().collect(Collectors.toSet());
    counters = new ProxyMetrics(names).newLoop();
    pools =
        new LoopPools(
            new PoolPlace(
                clock.eventLoop(), connector, counters, names, replicated, new Budgets(1)),
            limits);
  }

  /** Limits that no test comes to, but for the pool's size. */
  public static PoolConfig limits(int size) {
    return new PoolConfig(
        PoolMode.TRANSACTION,
        size,
        Duration.ofHours(1),
        Duration.ZERO,
        100,
        Duration.ofHours(1),
        Duration.ZERO);
  }

  public LoopPools pools() {
    return pools;
  }

  public ScriptedConnector connector() {
    return connector;
  }

  public LoopCounters counters() {
    return counters;
  }

  /** The client's end of a connection, on the event loop of the pools. */
  public EmbeddedChannel clock() {
    return clock;
  }

  /** Lets the event loop do what is due, also after that time. */
  public void pass(Duration time) {
    clock.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
    clock.runScheduledPendingTasks();
    clock.runPendingTasks();
  }
}
