package io.shardmark.proxy.session;

import io.netty.channel.EventLoop;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.commit.GidSequence;
import io.shardmark.proxy.ddl.PartitionMoves;
import io.shardmark.proxy.ddl.PlacementChanges;
import io.shardmark.proxy.ddl.StatementsUnderWay;
import io.shardmark.proxy.execution.ExecutionPlanner;
import io.shardmark.proxy.execution.SnapshotGate;
import io.shardmark.proxy.execution.StatementTexts;
import io.shardmark.proxy.local.ProxyRows;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.pool.LoopPools;
import io.shardmark.proxy.protocol.BindReader;
import io.shardmark.proxy.protocol.NameCache;
import io.shardmark.proxy.protocol.ParseReader;
import io.shardmark.proxy.routing.Router;
import io.shardmark.proxy.shardmap.TransactionCatalogs;
import io.shardmark.proxy.transaction.GateKeeper;
import io.shardmark.proxy.transaction.Patience;
import io.shardmark.proxy.transaction.Recoverer;
import io.shardmark.proxy.transaction.Surroundings;
import java.net.SocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the sessions of one event loop share. Belongs to that loop. */
public final class SessionContext {
  /** Says which standbys can be read from. Any thread. */
  @FunctionalInterface
  public interface Standbys {
    /**
     * Whether one of the shard shows all that was committed before that time, and the tables of the
     * present shard map.
     *
     * @param host where it is; null: the one that is read from now
     * @param limitNanos how old what it shows may be
     */
    boolean show(int shard, @Nullable SocketAddress host, long sinceNanos, long limitNanos);
  }

  /**
   * What all loops share.
   *
   * @param config the current configuration
   */
  public record Cluster(
      Supplier<ProxyConfig> config,
      CancelKeys cancelKeys,
      Notifiers notifiers,
      GidSequence gids,
      Recoverer recoverer,
      TransactionCatalogs catalogs,
      ProxyRows proxyRows,
      PlacementChanges placementChanges,
      PartitionMoves partitionMoves,
      Standbys standbys) {}

  private final EventLoop loop;
  private final LoopPools pools;
  private final Optional<LoopPools> standbyPools;
  private final ExecutionPlanner planner;
  private final LoopCounters counters;
  private final Cluster cluster;
  private final StatementTexts texts;
  private Router router;
  private final NameCache names = new NameCache();
  private final ParseReader parseReader = new ParseReader(names);
  private final BindReader bindReader = new BindReader(names);
  private final Set<Session> sessions = new LinkedHashSet<>();
  private final Surroundings ends;
  private final SnapshotGate gate;
  private final long startNanos = System.nanoTime();
  private int nextShard;
  private int reads;

  /**
   * @param standbyPools of connections to standbys, if any shard has them
   */
  public SessionContext(
      EventLoop loop,
      LoopPools pools,
      Optional<LoopPools> standbyPools,
      ExecutionPlanner planner,
      LoopCounters counters,
      Cluster cluster) {
    this.loop = loop;
    this.pools = pools;
    this.standbyPools = standbyPools;
    this.planner = planner;
    this.counters = counters;
    this.cluster = cluster;
    this.texts = new StatementTexts();
    this.router = new Router(pools.shardCount());
    this.ends =
        new Surroundings(
            loop,
            pools.shardNames(),
            pools.replicated(),
            counters,
            cluster.gids(),
            cluster.recoverer(),
            new Patience(loop, () -> config().limits().commitTimeout()));
    this.gate = new GateKeeper(loop, pools.own(), pools.shardNames());
    cluster
        .placementChanges()
        .join(
            new PlacementChanges.Loop() {
              @Override
              public Executor executor() {
                return loop;
              }

              @Override
              public List<StatementsUnderWay> statements() {
                return sessions.stream().map(Session::statements).toList();
              }
            });
  }

  /** These shards count now; a statement that is under way stays on those that it was routed to. */
  public void takeShards(List<String> names) {
    allPools().forEach(each -> each.takeShards(names));
    router = new Router(shardCount());
    counters.takeShards(shardCount());
  }

  /** For the ends of transactions. */
  Surroundings ends() {
    return ends;
  }

  /** For snapshots of several shards. */
  SnapshotGate gate() {
    return gate;
  }

  public EventLoop loop() {
    return loop;
  }

  public LoopPools pools() {
    return pools;
  }

  /** Of connections to standbys. */
  public Optional<LoopPools> standbyPools() {
    return standbyPools;
  }

  /** Of connections to primaries and standbys. */
  public List<LoopPools> allPools() {
    return Stream.concat(Stream.of(pools), standbyPools.stream()).toList();
  }

  /** The present sessions, for SHOW CLIENTS; on the loop only. */
  public Set<Session> sessions() {
    return sessions;
  }

  Router router() {
    return router;
  }

  ExecutionPlanner planner() {
    return planner;
  }

  /** Counts; on the loop only. */
  public void count(LoopCounter counter) {
    counters.count(counter);
  }

  LoopCounters counters() {
    return counters;
  }

  Cluster cluster() {
    return cluster;
  }

  ProxyConfig config() {
    return cluster.config().get();
  }

  StatementTexts texts() {
    return texts;
  }

  NameCache names() {
    return names;
  }

  ParseReader parseReader() {
    return parseReader;
  }

  BindReader bindReader() {
    return bindReader;
  }

  int shardCount() {
    return pools.shardCount();
  }

  /** When the loop began. */
  long startNanos() {
    return startNanos;
  }

  /** Whether it is the turn of a standby, of all servers of a shard. */
  boolean isStandbysTurn() {
    return ++reads % 2 == 0;
  }

  /** A shard for what any can answer: each in turn. */
  int anyShard() {
    nextShard = nextShard + 1 >= shardCount() ? 0 : nextShard + 1;
    return nextShard;
  }
}
