package io.shardmark.proxy.catalog;

import io.shardmark.proxy.metrics.BackgroundCounters;
import io.shardmark.proxy.session.TransactionCatalogs;
import io.shardmark.proxy.shardmap.LiveShardMap;
import io.shardmark.proxy.shardmap.ShardMap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the live shard map up to date, on a thread of its own: on request after DDL, and in
 * intervals for what happened behind the proxy or through another one. Its methods do not block and
 * are for any thread.
 */
public final class CatalogRefresher implements TransactionCatalogs, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogRefresher.class);

  /** While a shard is down, it is looked for more often than for changes. */
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

  /** Whoever makes tables goes on sooner than that. */
  private static final Duration SETTLING = Duration.ofSeconds(5);

  private final CatalogReader reader;
  private final LiveShardMap live;
  private final Settings settings;
  private final BackgroundCounters counters;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread daemon = new Thread(task, "catalog");
            daemon.setDaemon(true);
            return daemon;
          });
  private final SettledProblems settling;
  private @Nullable ScheduledFuture<?> telling;
  private volatile List<ShardStatus> status;
  private volatile List<String> problems;

  /**
   * What a reload may change.
   *
   * @param sharding table to column
   * @param interval zero is never
   */
  public record Settings(Supplier<Map<String, String>> sharding, Supplier<Duration> interval) {}

  /**
   * @param reader is this object's from now on
   */
  public CatalogRefresher(
      CatalogReader reader, LiveShardMap live, Settings settings, BackgroundCounters counters) {
    this.reader = reader;
    this.live = live;
    this.settings = settings;
    this.counters = counters;
    this.status = reader.status();
    this.problems = reader.last().problems();
    this.settling = new SettledProblems(problems); // the check at start has told them
  }

  /** Begins to look in intervals. */
  public void start() {
    scheduleNext();
  }

  /**
   * Reads the catalogs now. The stage completes on the catalog's thread with the map that was
   * published, which shows everything that was committed before this call on the shards that
   * answer.
   */
  public CompletionStage<ShardMap> refresh() {
    return CompletableFuture.supplyAsync(this::look, thread);
  }

  @Override
  public String question() {
    return CatalogReader.QUESTION_IN_TRANSACTION;
  }

  @Override
  public ShardMap map(Map<Integer, List<List<@Nullable String>>> rows) {
    return reader.mapWith(rows);
  }

  /** Shards by index, as last seen. */
  public List<ShardStatus> status() {
    return status;
  }

  /** What is wrong with the tables, one line each. */
  public List<String> problems() {
    return problems;
  }

  private void scheduleNext() {
    Duration interval = settings.interval().get();
    boolean down = status.stream().anyMatch(s -> s.state() != ShardStatus.State.UP);
    if (interval.isZero() || (down && RETRY_INTERVAL.compareTo(interval) < 0)) {
      interval = RETRY_INTERVAL;
    }
    if (!thread.isShutdown()) {
      var unused =
          thread.schedule(this::lookAndScheduleNext, interval.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void lookAndScheduleNext() {
    try {
      boolean down = status.stream().anyMatch(s -> s.state() != ShardStatus.State.UP);
      if (down || !settings.interval().get().isZero()) {
        look();
      }
    } catch (RuntimeException e) {
      // A fault of ours with this catalog; the map stays as it was, and the next look may do.
      LOG.error("the catalogs cannot be read", e);
      counters.catalogFailed();
    } finally {
      scheduleNext();
    }
  }

  private ShardMap look() {
    CatalogReading reading = reader.read(settings.sharding().get());
    List<ShardStatus> before = status;
    status = reader.status();
    logChanges(before, status);
    tellSettled(reading.problems());
    problems = reading.problems();
    if (status.stream().anyMatch(s -> s.state() == ShardStatus.State.DOWN)) {
      counters.catalogFailed();
    }
    counters.catalogRefreshed();
    live.publish(reading.map());
    return reading.map();
  }

  /** Each look that finds something new puts off the telling. */
  private void tellSettled(List<String> found) {
    ScheduledFuture<?> waiting = telling;
    if (waiting != null) {
      waiting.cancel(false);
    }
    if (settling.found(found) && !thread.isShutdown()) {
      telling =
          thread.schedule(
              () -> settling.settled().forEach(LOG::warn),
              SETTLING.toMillis(),
              TimeUnit.MILLISECONDS);
    }
  }

  private static void logChanges(List<ShardStatus> before, List<ShardStatus> now) {
    for (int shard = 0; shard < now.size(); shard++) {
      ShardStatus present = now.get(shard);
      if (present.state() != before.get(shard).state()) {
        if (present.state() == ShardStatus.State.UP) {
          LOG.info("shard {} is up: {}", present.shard(), present.detail());
        } else {
          LOG.warn("shard {} is down: {}", present.shard(), present.detail());
        }
      }
    }
  }

  /** Ends the thread after the look it may be in; at most some seconds. */
  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (thread.awaitTermination(10, TimeUnit.SECONDS)) {
        reader.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
