package io.shardmark.proxy.catalog;

import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.background.BackgroundTask;
import io.shardmark.proxy.metrics.BackgroundCounter;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.shardmap.LiveShardMap;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.TransactionCatalogs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the live shard map up to date, as a background task: on request after DDL, and in intervals
 * for what happened past the proxy or through another one. Its methods do not block and are for any
 * thread.
 */
public final class CatalogRefresher implements TransactionCatalogs, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogRefresher.class);

  /** While a shard is down, it is looked for more often than for changes. */
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

  /** Long enough for the next statements of a script. */
  private static final Duration LATER = Duration.ofMillis(500);

  /** What may be half committed is read again so soon, and so often: a commit may stay in doubt. */
  private static final Duration COMMITTING = Duration.ofMillis(5);

  private static final int MOST_TORN = 200;

  private static final long UNREAD = -1;

  /** A client that makes tables goes on sooner than that. */
  private static final Duration SETTLING = Duration.ofSeconds(5);

  private final CatalogReader reader;
  private final LiveShardMap live;
  private final RefresherSettings settings;
  private final ProxyMetrics metrics;
  private final BackgroundTask task;
  private final Queue<CompletableFuture<ShardMap>> asked = new ConcurrentLinkedQueue<>();
  private final SettledProblems settling;

  /**
   * When the problems found last are reported, by {@link System#nanoTime}; empty if they need not.
   */
  private Optional<Long> tellAt = Optional.empty();

  /** Something has changed that no one waits for. Written with the lock of the live map. */
  private volatile boolean unread;

  /** Version of the reader's map that was published, or {@link #UNREAD}; guarded as that. */
  private long published;

  /** Readings in turn that perhaps showed a commit on some of its shards only. */
  private int torn;

  /** The commits that they waited for. */
  private Set<CatalogReader.PreparedOnShard> awaited = Set.of();

  private volatile BiConsumer<Integer, Set<String>> whenRolesEnd = (shard, roles) -> {};
  private volatile Predicate<List<String>> whenShardsCount = names -> true;
  private volatile Consumer<String> whenUnknown = name -> {};
  private volatile List<ShardStatus> status;
  private volatile List<String> problems;

  /**
   * What a reload may change.
   *
   * @param sharding table to column
   * @param interval zero is never
   */
  public record RefresherSettings(
      Supplier<Map<String, String>> sharding, Supplier<Duration> interval) {}

  /**
   * @param reader is this object's from now on
   */
  public CatalogRefresher(
      CatalogReader reader,
      LiveShardMap live,
      RefresherSettings settings,
      ProxyMetrics metrics,
      BackgroundRunner runner) {
    this.reader = reader;
    this.live = live;
    this.settings = settings;
    this.metrics = metrics;
    this.status = reader.status();
    this.problems = reader.last().problems();
    this.settling = new SettledProblems(problems); // the check at start has reported them
    this.published = reader.last().map().version();
    this.task = runner.task("catalog", this::run);
  }

  /**
   * Is called with roles that are gone, or have been made anew under their names: a shard's index
   * and the names. On the catalog's thread, before the answer to {@link #refresh}.
   */
  public void whenRolesEnd(BiConsumer<Integer, Set<String>> listener) {
    whenRolesEnd = listener;
  }

  /**
   * @param counting is called with the names of all shards that count, on the catalog's thread,
   *     before the map that has them is published; false: not to be published yet
   * @param unknown is called with the name of a shard that counts and that the configuration does
   *     not have, or with ""
   */
  public void whenShardsCount(Predicate<List<String>> counting, Consumer<String> unknown) {
    whenShardsCount = counting;
    whenUnknown = unknown;
  }

  /** Begins to look in intervals. */
  public void start() {
    task.runWithin(pause());
  }

  /**
   * Reads the catalogs now. The stage completes on the catalog's thread with the map that was
   * published, which shows everything that was committed before this call on the shards that
   * answer.
   */
  public CompletionStage<ShardMap> refresh() {
    CompletableFuture<ShardMap> answer = new CompletableFuture<>();
    asked.add(answer);
    task.runSoon();
    return answer;
  }

  @Override
  public void changed(Runnable done) {
    var unused = refresh().whenComplete((map, failure) -> done.run());
  }

  /** Once for all changes meanwhile; until then any function may do whatever functions can. */
  @Override
  public void changedUnseen() {
    synchronized (live) {
      unread = true;
      published = UNREAD;
      live.publish(live.get().unread(live.get().version() + 1));
    }
    task.runWithin(LATER);
  }

  @Override
  public List<String> question(int shard) {
    return reader.question(shard);
  }

  @Override
  public ShardMap map(Map<Integer, List<List<@Nullable String>>> rows) {
    return reader.mapWith(rows);
  }

  /** Shards by index, as last seen. */
  public List<ShardStatus> status() {
    return status;
  }

  /** Indexes of the shards that have answered the last look. */
  public Set<Integer> answering() {
    List<ShardStatus> now = status;
    return IntStream.range(0, now.size())
        .filter(shard -> now.get(shard).state() == ShardStatus.ShardState.UP)
        .boxed()
        .collect(Collectors.toSet());
  }

  /** The map that was published last. */
  public ShardMap map() {
    return live.get();
  }

  /** What is wrong with the tables, one line each. */
  public List<String> problems() {
    return problems;
  }

  private Duration pause() {
    Duration interval = settings.interval().get();
    return interval.isZero() || (isShardDown() && RETRY_INTERVAL.compareTo(interval) < 0)
        ? RETRY_INTERVAL
        : interval;
  }

  private boolean isShardDown() {
    return status.stream().anyMatch(s -> s.state() != ShardStatus.ShardState.UP);
  }

  private Duration run() {
    List<CompletableFuture<ShardMap>> answers = new ArrayList<>();
    for (var answer = asked.poll(); answer != null; answer = asked.poll()) {
      answers.add(answer);
    }
    try {
      if (!answers.isEmpty()
          || unread
          || torn > 0
          || isShardDown()
          || !settings.interval().get().isZero()) {
        if (!look()) {
          asked.addAll(answers);
          return COMMITTING;
        }
        answers.forEach(answer -> answer.complete(live.get()));
      }
    } catch (Error | RuntimeException e) {
      // A waiting client must not wait for ever; the map stays as it was.
      metrics.of(BackgroundCounter.CATALOG_FAILURES).incrementAndGet();
      answers.forEach(answer -> answer.completeExceptionally(e));
      throw e;
    }
    return tellSettled();
  }

  /** Returns false if a commit that was under way, or a loop of clients, has to be waited for. */
  private boolean look() {
    synchronized (live) {
      unread = false;
    }
    CatalogReading reading = reader.read(settings.sharding().get());
    Set<CatalogReader.PreparedOnShard> prepared = reader.prepared();
    if (torn > 0) {
      prepared.retainAll(awaited);
    }
    boolean mayBeTorn = !prepared.isEmpty() && !problems.containsAll(reading.problems());
    torn = mayBeTorn && torn < MOST_TORN ? torn + 1 : 0;
    if (torn > 0) {
      awaited = prepared;
      return false;
    }
    if (!whenShardsCount.test(reading.map().shards())) {
      return false;
    }
    List<ShardStatus> before = status;
    status = reader.status();
    logChanges(before, status);
    if (settling.found(reading.problems())) {
      // Each look that finds something new puts off the report.
      tellAt = Optional.of(System.nanoTime() + SETTLING.toNanos());
    }
    problems = reading.problems();
    if (status.stream().anyMatch(s -> s.state() == ShardStatus.ShardState.DOWN)) {
      metrics.of(BackgroundCounter.CATALOG_FAILURES).incrementAndGet();
    }
    metrics.of(BackgroundCounter.CATALOG_READS).incrementAndGet();
    whenUnknown.accept(reader.unknownShard());
    synchronized (live) {
      // What has changed since it began is read soon.
      if (!unread && published != reading.map().version()) {
        published = reading.map().version();
        live.publish(reading.map().withVersion(live.get().version() + 1));
      }
    }
    reader.takeEndedRoles().forEach(whenRolesEnd);
    return true;
  }

  /** Reports what has stayed long enough; returns how long to pause. */
  private Duration tellSettled() {
    if (tellAt.isEmpty()) {
      return pause();
    }
    Duration left = Duration.ofNanos(tellAt.get() - System.nanoTime());
    if (left.isNegative() || left.isZero()) {
      settling.settled().forEach(LOG::warn);
      tellAt = Optional.empty();
      return pause();
    }
    return left.compareTo(pause()) < 0 ? left : pause();
  }

  private static void logChanges(List<ShardStatus> before, List<ShardStatus> now) {
    for (int shard = 0; shard < before.size(); shard++) {
      ShardStatus present = now.get(shard);
      if (present.state() != before.get(shard).state()) {
        if (present.state() == ShardStatus.ShardState.UP) {
          LOG.info("shard {} is up: {}", present.shard(), present.detail());
        } else {
          LOG.warn("shard {} is down: {}", present.shard(), present.detail());
        }
      }
    }
  }

  /** Closes its connections; no task may run any more. */
  @Override
  public void close() {
    reader.close();
  }
}
