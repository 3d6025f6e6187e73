package io.shardmark.proxy.recovery;

import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.GidSequence;
import io.shardmark.proxy.commit.Outcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovery as a service: runs at the start, every interval, and when asked. Any number of proxies
 * do so over the same shards at once. Thread-safe; its work is done on threads of its own.
 */
public final class Recovery implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  /** Sessions that ask wait for each other beyond this many; a dead anchor answers none of them. */
  private static final int ASKING_THREADS = 4;

  private static final Duration ASK_AGAIN = Duration.ofMillis(200);

  private final List<ShardAccess> shards;
  private final GidSequence gids;
  private final RecoveryOptions options;
  private final DecisionCleaner cleaner;
  private final ScheduledExecutorService runner;
  private final ScheduledExecutorService asker;
  private final AtomicBoolean requested = new AtomicBoolean();
  private final Consumer<RecoveryReport> listener;
  private volatile RecoveryReport last = RecoveryReport.NOTHING;

  /**
   * @param shards all shards of the cluster
   * @param gids of this proxy
   * @param listener told after each run, on the thread that ran
   */
  public Recovery(
      List<ShardAccess> shards,
      GidSequence gids,
      RecoveryOptions options,
      Consumer<RecoveryReport> listener) {
    this.shards = List.copyOf(shards);
    this.gids = gids;
    this.options = options;
    this.listener = listener;
    this.cleaner = new DecisionCleaner(options.keepDecisions(), gids);
    this.runner = threads("shardmark-recovery", 1);
    this.asker = threads("shardmark-ask-anchor", ASKING_THREADS);
  }

  private static ScheduledExecutorService threads(String name, int count) {
    return Executors.newScheduledThreadPool(
        count,
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Runs now and then every interval. */
  @SuppressWarnings("FutureReturnValueIgnored") // a run logs its failures itself
  public void start() {
    runner.scheduleWithFixedDelay(
        this::runLogged, 0, options.interval().toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Asks for a run soon; many requests make one run. Does not block. */
  public void request() {
    if (requested.compareAndSet(false, true)) {
      runner.execute(this::runLogged);
    }
  }

  private void runLogged() {
    try {
      run();
    } catch (IllegalStateException | IllegalArgumentException e) {
      // Thrown on, it would end the schedule and with it recovery for good.
      LOG.error("recovery run failed", e);
    }
  }

  /** Runs on the calling thread; runs exclude each other. */
  public synchronized RecoveryReport run() {
    requested.set(false);
    try (RecoveryPass pass = new RecoveryPass(gids, options)) {
      RecoveryReport report = pass.run(shards, cleaner);
      last = report;
      listener.accept(report);
      return report;
    }
  }

  /**
   * Learns how a transaction ended whose anchor was lost with its COMMIT in flight; decides to
   * abort if the COMMIT has not taken effect. Tries until {@link RecoveryOptions#askLimit} is over.
   *
   * @param participants names of the shards that have prepared
   * @return completed on a thread of recovery, never exceptionally; UNKNOWN if the anchor could not
   *     be asked
   */
  public CompletableFuture<Outcome> ask(Gid gid, List<String> participants) {
    CompletableFuture<Outcome> answer = new CompletableFuture<>();
    Optional<ShardAccess> anchor = shard(gid.anchor());
    List<ShardAccess> prepared = new ArrayList<>();
    participants.forEach(name -> shard(name).ifPresent(prepared::add));
    if (anchor.isEmpty()) {
      answer.complete(Outcome.UNKNOWN);
      return answer;
    }
    long deadline = System.nanoTime() + options.askLimit().toNanos();
    AnchorQuestion question = new AnchorQuestion(gid, anchor.get(), prepared);
    asker.execute(() -> ask(question, deadline, answer));
    return answer;
  }

  /** The same when the caller does not know who took part. */
  public CompletableFuture<Outcome> ask(Gid gid) {
    return ask(
        gid, shards.stream().map(ShardAccess::name).filter(n -> !n.equals(gid.anchor())).toList());
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what fails is asked again until the deadline
  private void ask(AnchorQuestion question, long deadline, CompletableFuture<Outcome> answer) {
    if (System.nanoTime() - deadline > 0) {
      answer.complete(Outcome.UNKNOWN);
      return;
    }
    try {
      answer.complete(question.ask(options.lockLimit()));
    } catch (SQLException e) {
      LOG.debug("asking for {}: {}", question.gid(), e.getMessage());
      asker.schedule(
          () -> ask(question, deadline, answer), ASK_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private Optional<ShardAccess> shard(String name) {
    return shards.stream().filter(shard -> shard.name().equals(name)).findFirst();
  }

  /** What the last run could not finish, for SHOW TRANSACTIONS and metrics. */
  public List<InDoubt> inDoubt() {
    return last.inDoubt();
  }

  /** What the last run did. */
  public RecoveryReport lastReport() {
    return last;
  }

  /** Ends the threads; questions that wait get no answer. */
  @Override
  public void close() {
    runner.shutdownNow();
    asker.shutdownNow();
  }
}
