package io.shardmark.proxy.pool;

import io.shardmark.config.proxy.PoolConfig;
import io.shardmark.proxy.settings.Settings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** All pools of one event loop: for each user one for each shard, made when first needed. */
@SuppressWarnings("FutureReturnValueIgnored") // the loop ends with the process
public final class LoopPools {
  private static final long AGE_CHECK_SECONDS = 5;

  private final PoolPlace place;
  private final OwnServers own;
  private final Map<String, PoolsOfUser> byUser = new HashMap<>();
  private final Map<Settings, Settings> knownSettings = new HashMap<>();
  private PoolConfig limits;
  private PoolPhase phase = PoolPhase.OPEN;

  /** One user's pools, by shard, and how many clients have them. */
  private static final class PoolsOfUser {
    final Budgets.BudgetOfUser shared;
    final List<ShardPool> pools = new ArrayList<>();
    int clients;

    PoolsOfUser(Budgets.BudgetOfUser shared) {
      this.shared = shared;
    }

    boolean isOfStranger() {
      for (ShardPool pool : pools) {
        if (!pool.isOfStranger()) {
          return false;
        }
      }
      return clients == 0;
    }
  }

  public LoopPools(PoolPlace place, PoolConfig limits) {
    this.place = place;
    this.own = new OwnServers(place);
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

  /** Shards that may get another primary. */
  public Set<Integer> replicated() {
    return place.replicated();
  }

  /** Those that no client holds. */
  public OwnServers own() {
    return own;
  }

  /** These shards count now. */
  public void takeShards(List<String> names) {
    place.shardNames().addAll(names.subList(Math.min(shardCount(), names.size()), names.size()));
    byUser.forEach(this::takeShards);
  }

  private void takeShards(String user, PoolsOfUser known) {
    for (int shard = known.pools.size(); shard < shardCount(); shard++) {
      ShardPool pool = new ShardPool(place, shard, user, known.shared, limits);
      known.pools.add(pool);
      if (phase == PoolPhase.PAUSED) {
        pool.pause();
      }
    }
  }

  /** That user's pools, by shard, until {@link #leave}; grows when one more shard counts. */
  public List<ShardPool> join(String user) {
    PoolsOfUser known = byUser.computeIfAbsent(user, this::newUser);
    known.clients++;
    return known.pools;
  }

  /** That user's pools, by shard, as they are; none if the user has none. */
  public List<ShardPool> of(String user) {
    PoolsOfUser known = byUser.get(user);
    return known == null ? List.of() : known.pools;
  }

  /** What servers of any shard reported, on whatever event loop; of a user who has joined. */
  public ReportedParameters reported(String user) {
    return of(user).get(0).reported();
  }

  /**
   * A client has left. Nothing stays of a user whom no shard has ever let in: where any name is let
   * in, there would be no end of them.
   */
  public void leave(String user) {
    PoolsOfUser known = byUser.get(user);
    if (known != null) {
      known.clients--;
      forgetStranger(user, known);
    }
  }

  private void forgetStranger(String user, PoolsOfUser known) {
    if (known.isOfStranger()) {
      byUser.remove(user);
      for (ShardPool pool : known.pools) {
        pool.discard();
      }
      place.budgets().leave(user);
    }
  }

  private PoolsOfUser newUser(String user) {
    PoolsOfUser pools = new PoolsOfUser(place.budgets().join(user));
    takeShards(user, pools);
    return pools;
  }

  /** The one object for equal settings, so that they are compared by identity. */
  public Settings known(Settings settings) {
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
    byUser.values().forEach(known -> all.addAll(known.pools));
    return all;
  }

  /** New limits, for connections handed out from now on. */
  public void setLimits(PoolConfig newer) {
    limits = newer;
    all().forEach(pool -> pool.setLimits(newer));
  }

  /** The shard is on another server: connections to the one before are not handed out again. */
  public void moved(int shard) {
    ofShard(shard).forEach(ShardPool::moved);
    own.drop(shard);
  }

  /** What the connections to the shard lead to is not the shard any more: they end at once. */
  public void cut(int shard) {
    ofShard(shard).forEach(ShardPool::cut);
  }

  /** None of a shard that does not count. */
  private Stream<ShardPool> ofShard(int shard) {
    return byUser.values().stream().flatMap(known -> known.pools.stream().skip(shard).limit(1));
  }

  /** No connection to the shard that acts as one of these roles is handed out again. */
  public void rolesEnded(int shard, Set<String> roles) {
    ofShard(shard).forEach(pool -> pool.rolesEnded(roles));
  }

  /** Lets no transaction begin, of any client, until {@link #resume}. */
  public void pause() {
    phase = phase.paused();
    all().forEach(ShardPool::pause);
  }

  public void resume() {
    phase = phase.resumed();
    all().forEach(ShardPool::resume);
  }

  public void close() {
    all().forEach(ShardPool::close);
    own.close();
  }

  private void closeAged() {
    all().forEach(ShardPool::closeAged);
    // Those who left while a connection was being opened for them.
    List.copyOf(byUser.entrySet()).forEach(one -> forgetStranger(one.getKey(), one.getValue()));
  }
}
