package io.shardmark.proxy;

import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.ShardConfig;
import io.shardmark.proxy.admin.PreparedTransactions;
import io.shardmark.proxy.admin.ProxyState.TransactionInfo;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.catalog.CatalogReader;
import io.shardmark.proxy.catalog.CatalogRefresher;
import io.shardmark.proxy.catalog.ShardConnections;
import io.shardmark.proxy.catalog.ShardStatus;
import io.shardmark.proxy.catalog.ShardStatus.ShardState;
import io.shardmark.proxy.commit.GidSequence;
import io.shardmark.proxy.commit.Outcome;
import io.shardmark.proxy.ddl.Hold;
import io.shardmark.proxy.ddl.PlacementChanges;
import io.shardmark.proxy.deadlock.DeadlockDetector;
import io.shardmark.proxy.deadlock.TransactionDirectory;
import io.shardmark.proxy.growth.Growth;
import io.shardmark.proxy.metrics.BackgroundCounter;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.placement.ProxyMeeting;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.recovery.AbandonedTransactions;
import io.shardmark.proxy.recovery.DecisionTables;
import io.shardmark.proxy.recovery.Recovery;
import io.shardmark.proxy.recovery.RecoveryOptions;
import io.shardmark.proxy.recovery.RecoveryReport;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.recovery.ShardIdentities;
import io.shardmark.proxy.shardmap.LiveShardMap;
import io.shardmark.proxy.shards.ShardHosts;
import io.shardmark.proxy.standby.HostWatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What works apart from the clients, over JDBC and in the background: wired, started, ended. */
final class Background implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Background.class);
  private final Parts parts;
  private final GidSequence gids = new GidSequence();
  private final LiveShardMap map;
  private final CatalogRefresher catalog;
  private final Recovery recovery;
  private final AbandonedTransactions abandoned;
  private final DecisionTables decisionTables;
  private final PlacementChanges placementChanges = new PlacementChanges();
  private final ProxyMeeting meeting;
  private final Growth growth;
  private final Duration deadlockInterval;

  private volatile Predicate<List<String>> loops = names -> true;

  /** How many shards count here; of the catalog's thread, as the next. */
  private int known;

  /** On how many of the configured shards this proxy shows itself; of the operation's thread. */
  private int shown;

  private PlacementChanges.@Nullable PlacementChange whileUnknown;

  private volatile @Nullable DeadlockDetector detector;

  /**
   * What it is put together from, and owns from then on.
   *
   * @param runner of all background work
   * @param watch that has begun
   * @param identities that have been checked
   * @param reader that has read the shards
   * @param config the current configuration
   */
  record Parts(
      BackgroundRunner runner,
      ShardHosts hosts,
      HostWatch watch,
      ShardConnections connections,
      ShardIdentities identities,
      CatalogReader reader,
      ProxyMetrics metrics,
      Supplier<ProxyConfig> config) {}

  /**
   * Starts everything. Blocks while the table of decisions is made, and until the shards show that
   * this proxy lives.
   */
  Background(Parts parts) throws InterruptedException {
    Supplier<ProxyConfig> config = parts.config();
    BackgroundRunner runner = parts.runner();
    ProxyMetrics metrics = parts.metrics();
    this.parts = parts;
    this.deadlockInterval = config.get().background().deadlockInterval();
    this.map = new LiveShardMap(parts.reader().last().map());
    this.known = map.get().shards().size();
    this.catalog =
        new CatalogRefresher(
            parts.reader(),
            map,
            new CatalogRefresher.RefresherSettings(
                () -> config.get().sharding(), () -> config.get().background().catalogInterval()),
            metrics,
            runner);
    List<ShardAccess> shards = access();
    RecoveryOptions options = RecoveryOptions.every(config.get().background().recoveryInterval());
    this.recovery = new Recovery(shards, gids, options, this::finished, this::count, runner);
    List<ShardAccess> configured = new ArrayList<>();
    for (int shard = 0; shard < parts.hosts().shardCount(); shard++) {
      configured.add(configured(shard));
    }
    this.shown = configured.size();
    this.abandoned =
        new AbandonedTransactions(configured, gids, options, recovery::request, runner);
    this.decisionTables = new DecisionTables(shards, parts.connections(), config, runner);
    this.meeting = new ProxyMeeting(shards, placementChanges, catalog, ProxyMeeting.LIMIT, runner);
    this.growth =
        new Growth(
            shards,
            this::nextShard,
            catalog::refresh,
            new Growth.Sources(
                parts.connections()::addressForShards, parts.connections()::openForReplication),
            meeting,
            gids,
            recovery::request,
            config.get().background().recoveryInterval(),
            runner);
    catalog.whenShardsCount(this::whenShardsCount, this::whenUnknown);
    decisionTables.createNow();
    abandoned.start();
    recovery.start();
    catalog.start();
    if (shards.size() > 1) {
      meeting.start();
      growth.start();
    }
  }

  private void finished(Outcome outcome) {
    boolean committed = outcome == Outcome.COMMITTED;
    BackgroundCounter counter =
        committed ? BackgroundCounter.RECOVERED_COMMITTED : BackgroundCounter.RECOVERED_ROLLED_BACK;
    parts.metrics().of(counter).incrementAndGet();
    if (committed) {
      var unused = catalog.refresh(); // it may have been DDL
    }
  }

  private void count(RecoveryReport report) {
    ProxyMetrics metrics = parts.metrics();
    metrics.of(BackgroundCounter.TRANSACTIONS_IN_DOUBT).set(report.inDoubt().size());
    if (!report.unreachable().isEmpty()) {
      metrics.of(BackgroundCounter.RECOVERY_FAILURES).incrementAndGet();
    }
  }

  private ShardAccess configured(int shard) {
    return ShardAccess.configured(
        parts.connections(), shard, parts.identities()::whyClosedIfCounting);
  }

  /** The first configured shard that does not count. */
  private Optional<ShardAccess> nextShard() {
    int next = parts.connections().shardCount();
    return parts.config().get().shards().stream()
        .skip(next)
        .findFirst()
        .map(shard -> new NextShard(shard, next));
  }

  /** A shard that a reload may change or remove, which is another one then. */
  private final class NextShard implements ShardAccess {
    private final ShardConfig shard;
    private final ShardAccess place;

    NextShard(ShardConfig shard, int index) {
      this.shard = shard;
      this.place = configured(index);
    }

    @Override
    public String name() {
      return shard.name();
    }

    @Override
    public Connection open() throws SQLException {
      Connection connection = place.open();
      if (parts.config().get().shards().contains(shard)) {
        return connection;
      }
      connection.close();
      throw new SQLException(
          "shard %s of the configuration is another one now".formatted(shard.name()),
          SqlState.CONNECTION_FAILURE.code());
    }
  }

  /**
   * Reads the configuration again while no more shards begin to count.
   *
   * @param read is called with how many do
   */
  void reload(IntConsumer read) {
    parts
        .connections()
        .withoutCounting(
            counting -> {
              read.accept(counting);
              parts.hosts().takeShards(counting);
            });
  }

  /** Shards may have been appended to the configuration: others see that this proxy knows them. */
  void takeShards() {
    var unused = parts.hosts().look();
    for (; shown < parts.hosts().shardCount(); shown++) {
      abandoned.add(configured(shown));
    }
  }

  /**
   * Has what counts from now on be used. On the catalog's thread; blocks. Returns false if it is to
   * be tried again.
   */
  private boolean whenShardsCount(List<String> names) {
    if (names.size() == known) {
      return true;
    }
    try {
      parts.identities().checkAdded();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    decisionTables.createNow();
    meeting.takeShards();
    if (!loops.test(names)) {
      return false;
    }
    known = names.size();
    return true;
  }

  /** Has the loops of clients take what counts, now and later. */
  void serveBy(Predicate<List<String>> takeShards) {
    loops = takeShards;
    var unused = takeShards.test(map.get().shards()); // no loop is busy yet
  }

  /** As long as a shard counts that this proxy does not know, it serves nothing. */
  private void whenUnknown(String shard) {
    PlacementChanges.PlacementChange refused = whileUnknown;
    if (!shard.isEmpty() && refused == null) {
      PlacementChanges.PlacementChange all = placementChanges.begin(Hold.EVERYTHING);
      String what = "shard " + shard + " counts, and is not in the configuration of the proxy";
      placementChanges.refuse(
          all,
          ErrorFields.error(SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE, what)
              .withHint("Append it to shards, and RELOAD."));
      LOG.error("{}: append it to shards, and RELOAD", what);
      whileUnknown = all;
    } else if (shard.isEmpty() && refused != null) {
      placementChanges.end(refused);
      whileUnknown = null;
    }
  }

  private List<ShardAccess> access() {
    return ShardAccess.all(parts.connections(), parts.identities()::whyClosed);
  }

  /** What it was put together from. */
  Parts parts() {
    return parts;
  }

  GidSequence gids() {
    return gids;
  }

  LiveShardMap map() {
    return map;
  }

  CatalogRefresher catalog() {
    return catalog;
  }

  PlacementChanges placementChanges() {
    return placementChanges;
  }

  Growth growth() {
    return growth;
  }

  Recovery recovery() {
    return recovery;
  }

  DecisionTables decisionTables() {
    return decisionTables;
  }

  /** Looks for deadlocks over several shards from now on, unless the configuration says never. */
  void detectDeadlocks(TransactionDirectory transactions) {
    DeadlockDetector started =
        new DeadlockDetector(
            access(),
            transactions,
            gids.incarnation(),
            parts.metrics().of(BackgroundCounter.DEADLOCKS_BROKEN)::incrementAndGet,
            parts.runner());
    if (!deadlockInterval.isZero()) {
      started.start(deadlockInterval);
    }
    detector = started;
  }

  /** Users may have been added, tables named. */
  void configChanged() {
    decisionTables.createSoon();
    var unused = catalog.refresh();
  }

  /**
   * In addition to the clients' transactions, what is prepared on the shards, one for each gid;
   * asked on that executor.
   */
  CompletionStage<List<TransactionInfo>> transactions(
      List<TransactionInfo> ofClients, Executor executor) {
    return CompletableFuture.supplyAsync(
        () -> PreparedTransactions.of(access(), recovery.inDoubt()).with(ofClients), executor);
  }

  /** Who waits for whose lock; asked on that executor. */
  CompletionStage<DeadlockDetector.Waits> locks(Executor executor) {
    DeadlockDetector asked = detector;
    return asked == null
        ? CompletableFuture.completedStage(new DeadlockDetector.Waits(List.of(), Map.of()))
        : CompletableFuture.supplyAsync(asked::waits, executor);
  }

  /** "" if every shard answers, else one line. */
  String whyNotReady() {
    List<String> wrong = parts.identities().problems();
    if (!wrong.isEmpty()) {
      return String.join("; ", wrong);
    }
    List<String> down =
        catalog.status().stream()
            .filter(status -> status.state() != ShardState.UP)
            .map(ShardStatus::shard)
            .toList();
    return down.isEmpty() ? "" : "no answer from shard " + String.join(", ", down);
  }

  @Override
  public void close() {
    parts.runner().close();
    DeadlockDetector started = detector;
    if (started != null) {
      started.close();
    }
    catalog.close();
    abandoned.close();
    meeting.close();
    growth.close();
  }
}
