package io.shardmark.proxy.pool;

import io.netty.channel.EventLoop;
import io.shardmark.proxy.metrics.LoopCounters;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** All pools of one event loop: for each user one for each shard, made when first needed. */
@SuppressWarnings("FutureReturnValueIgnored") // the loop ends with the process
public final class LoopPools {
  private static final long AGE_CHECK_SECONDS = 5;

  /**
   * What the pools of a loop share.
   *
   * @param shardNames by index
   * @param budgets that all loops share
   */
  public record Place(
      EventLoop loop,
      ServerConnector connector,
      LoopCounters counters,
      List<String> shardNames,
      Budgets budgets) {
    public Place {
      shardNames = List.copyOf(shardNames);
    }
  }

  private final Place place;
  private final Map<String, ShardPool[]> byUser = new HashMap<>();
  private final Map<SessionSettings, SessionSettings> knownSettings = new HashMap<>();
  private PoolLimits limits;

  public LoopPools(Place place, PoolLimits limits) {
    this.place = place;
    this.limits = limits;
    place
        .loop()
        .scheduleWithFixedDelay(
            this::closeAged, AGE_CHECK_SECONDS, AGE_CHECK_SECONDS, TimeUnit.SECONDS);
  }

  /** Number of shards. */
  public int shardCount() {
    return place.shardNames().size();
  }

  public List<String> shardNames() {
    return place.shardNames();
  }

  /** That user's pools, by shard. */
  public ShardPool[] pools(String user) {
    return byUser.computeIfAbsent(user, this::newPools);
  }

  private ShardPool[] newPools(String user) {
    ShardPool[] pools = new ShardPool[shardCount()];
    for (int shard = 0; shard < pools.length; shard++) {
      pools[shard] = new ShardPool(place, shard, user, limits);
    }
    return pools;
  }

  /** The one object for equal settings, so that they are compared by identity. */
  public SessionSettings known(SessionSettings settings) {
    if (settings.statements().isEmpty()) {
      return SessionSettings.NONE;
    }
    if (knownSettings.size() > MAX_KNOWN_SETTINGS) {
      knownSettings.clear();
    }
    return knownSettings.computeIfAbsent(settings, same -> same);
  }

  /** Beyond it they are forgotten, which costs no more than a replay. */
  private static final int MAX_KNOWN_SETTINGS = 10_000;

  /** Every pool, for SHOW POOLS and SHOW SERVERS; on the loop only. */
  public Collection<ShardPool> all() {
    List<ShardPool> all = new ArrayList<>();
    byUser.values().forEach(pools -> all.addAll(List.of(pools)));
    return all;
  }

  /** New limits, for connections handed out from now on. */
  public void setLimits(PoolLimits newer) {
    limits = newer;
    all().forEach(pool -> pool.setLimits(newer));
  }

  public void pause() {
    all().forEach(ShardPool::pause);
  }

  public void resume() {
    all().forEach(ShardPool::resume);
  }

  public void close() {
    all().forEach(ShardPool::close);
  }

  private void closeAged() {
    all().forEach(ShardPool::closeAged);
  }
}
