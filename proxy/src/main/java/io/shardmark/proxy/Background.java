package io.shardmark.proxy;

import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.admin.ProxyState.TransactionInfo;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.catalog.CatalogReader;
import io.shardmark.proxy.catalog.CatalogRefresher;
import io.shardmark.proxy.catalog.ShardConnections;
import io.shardmark.proxy.catalog.ShardStatus;
import io.shardmark.proxy.catalog.ShardStatus.ShardState;
import io.shardmark.proxy.commit.GidSequence;
import io.shardmark.proxy.ddl.PlacementChanges;
import io.shardmark.proxy.deadlock.DeadlockDetector;
import io.shardmark.proxy.deadlock.TransactionDirectory;
import io.shardmark.proxy.growth.Growth;
import io.shardmark.proxy.metrics.BackgroundCounter;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.placement.ProxyMeeting;
import io.shardmark.proxy.recovery.AbandonedTransactions;
import io.shardmark.proxy.recovery.Recovery;
import io.shardmark.proxy.recovery.RecoveryOptions;
import io.shardmark.proxy.recovery.RecoveryReport;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.shardmap.LiveShardMap;
import io.shardmark.proxy.shards.ShardHosts;
import io.shardmark.proxy.standby.HostWatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What works apart from the clients, over JDBC and in the background: wired, started, ended. */
final class Background implements AutoCloseable {
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
    this.recovery = new Recovery(shards, gids, options, this::count, runner);
    this.abandoned = new AbandonedTransactions(shards, gids, options, recovery::request, runner);
    this.decisionTables = new DecisionTables(shards, parts.connections(), config, runner);
    this.meeting = new ProxyMeeting(shards, placementChanges, catalog, ProxyMeeting.LIMIT, runner);
    this.growth =
        new Growth(
            shards,
            map,
            parts.connections()::addressForShards,
            meeting,
            gids,
            recovery::request,
            runner);
    decisionTables.createNow();
    abandoned.start();
    recovery.start();
    catalog.start();
    if (shards.size() > 1) {
      meeting.start();
      growth.start();
    }
  }

  private void count(RecoveryReport report) {
    ProxyMetrics metrics = parts.metrics();
    metrics.of(BackgroundCounter.RECOVERED_COMMITTED).addAndGet(report.committed());
    metrics.of(BackgroundCounter.RECOVERED_ROLLED_BACK).addAndGet(report.rolledBack());
    metrics.of(BackgroundCounter.TRANSACTIONS_IN_DOUBT).set(report.inDoubt().size());
    if (report.committed() > 0) {
      var unused = catalog.refresh(); // it may have been DDL
    }
    if (!report.unreachable().isEmpty()) {
      metrics.of(BackgroundCounter.RECOVERY_FAILURES).incrementAndGet();
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
