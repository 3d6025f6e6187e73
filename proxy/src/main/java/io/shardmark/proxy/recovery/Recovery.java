package io.shardmark.proxy.recovery;

import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.background.BackgroundTask;
import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.GidSequence;
import io.shardmark.proxy.commit.Outcome;
import io.shardmark.proxy.commit.TransactionId;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.shards.ShardSql;
import io.shardmark.proxy.transaction.Recoverer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovery as a service: runs at the start, every interval, and when asked; old decisions are
 * deleted at intervals too. Any number of proxies do so over the same shards at once. Thread-safe;
 * its work is done in the background.
 */
public final class Recovery implements Recoverer {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  /** Sessions that ask wait for each other beyond this many; a dead anchor answers none of them. */
  private static final int ASKING_THREADS = 4;

  static final Duration ASK_AGAIN = Duration.ofMillis(200);

  private final List<ShardAccess> shards;
  private final GidSequence gids;
  private final RecoveryOptions options;
  private final DecisionCleaner cleaner;
  private final BackgroundTask finishing;
  private final BackgroundTask cleaning;
  private final ScheduledExecutorService asker;
  private final Map<String, LostParts> lostParts = new ConcurrentHashMap<>();

  /** Apart, so that clients who ask about a dead shard keep no commit waiting. */
  private final ScheduledExecutorService outcomes;

  private final Consumer<Outcome> finished;
  private final Consumer<RecoveryReport> listener;
  private volatile RecoveryReport last = RecoveryReport.NOTHING;

  /**
   * @param shards all shards of the cluster
   * @param gids of this proxy
   * @param finished called for each prepared transaction that recovery ends, on its threads
   * @param listener called after each run, on the thread that ran
   * @param runner runs it; nothing runs before {@link #start} or {@link #request}
   */
  public Recovery(
      List<ShardAccess> shards,
      GidSequence gids,
      RecoveryOptions options,
      Consumer<Outcome> finished,
      Consumer<RecoveryReport> listener,
      BackgroundRunner runner) {
    this.shards = shards;
    this.gids = gids;
    this.options = options;
    this.finished = finished;
    this.listener = listener;
    this.cleaner = new DecisionCleaner(options, gids);
    this.finishing =
        runner.task(
            "recovery",
            () -> {
              run();
              return options.interval();
            });
    this.cleaning =
        runner.task(
            "cleaning",
            () -> {
              clean();
              return options.interval();
            });
    this.asker = runner.threads("ask-anchor", ASKING_THREADS);
    this.outcomes = runner.threads("outcomes", ASKING_THREADS);
  }

  /** Runs now and then every interval. */
  public void start() {
    finishing.runSoon();
    cleaning.runSoon();
  }

  /** Asks for a run soon; many requests make one run. Does not block. */
  @Override
  public void request() {
    finishing.runSoon();
  }

  /** Runs on the calling thread; runs exclude each other. */
  public synchronized RecoveryReport run() {
    try (RecoveryPass pass = new RecoveryPass(gids, options, finished)) {
      RecoveryReport report = pass.run(shards);
      last = report;
      listener.accept(report);
      return report;
    }
  }

  /**
   * Deletes decisions that nobody needs, on the calling thread; the runs exclude each other.
   *
   * @return how many
   */
  synchronized int clean() {
    return cleaner.run(shards);
  }

  /**
   * Learns how a transaction ended whose anchor was lost with its COMMIT in flight; decides to
   * abort if the COMMIT has not taken effect. Tries until {@link RecoveryOptions#askLimit} is over.
   *
   * @return completed on a thread of recovery, never exceptionally; UNKNOWN if the anchor could not
   *     be asked
   */
  @Override
  public CompletableFuture<Outcome> ask(Gid gid) {
    CompletableFuture<Outcome> answer = new CompletableFuture<>();
    long deadline = System.nanoTime() + options.askLimit().toNanos();
    asker.execute(() -> ask(gid, deadline, answer));
    return answer;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what fails is asked again until the deadline
  private void ask(Gid gid, long deadline, CompletableFuture<Outcome> answer) {
    if (System.nanoTime() - deadline > 0) {
      answer.complete(Outcome.UNKNOWN);
      return;
    }
    try {
      answer.complete(askOnce(gid));
    } catch (Error | RuntimeException e) {
      answer.complete(Outcome.UNKNOWN); // or a commit would wait for ever
      throw e;
    } catch (SQLException e) {
      LOG.debug("asking for {}: {}", gid, e.getMessage());
      asker.schedule(() -> ask(gid, deadline, answer), ASK_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /**
   * @throws SQLException if it should be asked again
   */
  private Outcome askOnce(Gid gid) throws SQLException {
    Optional<ShardAccess> found = find(gid.anchor());
    if (found.isEmpty()) {
      return Outcome.UNKNOWN;
    }
    try (ShardSession anchor = ShardSession.open(found.get(), options.lockLimit())) {
      return DecisionTable.decide(anchor.connection(), gid, () -> isPreparedBesideAnchor(gid));
    }
  }

  @Override
  public CompletableFuture<@Nullable Void> commit(Gid gid, String shard) {
    return lostParts
        .computeIfAbsent(
            shard, name -> new LostParts(find(name).orElseThrow(), options, asker, finished))
        .commit(gid);
  }

  private boolean isPreparedBesideAnchor(Gid gid) throws SQLException {
    SQLException unreachable = null;
    for (ShardAccess shard : shards) {
      if (!shard.name().equals(gid.anchor())) {
        try (ShardSession session = ShardSession.open(shard, options.lockLimit())) {
          if (session.isPrepared(gid)) {
            return true;
          }
        } catch (SQLException e) {
          unreachable = e;
        }
      }
    }
    if (unreachable != null) {
      throw unreachable;
    }
    return false;
  }

  @Override
  public CompletableFuture<String> outcome(String id) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    outcomes.execute(
        () -> {
          try {
            Optional<TransactionId> part = TransactionId.parse(id);
            answer.complete(
                part.isPresent()
                    ? outcome(part.get())
                    : outcome(Gid.parse(id).orElseThrow(() -> new SQLException("no identifier"))));
          } catch (Error | RuntimeException e) {
            answer.completeExceptionally(e); // or the client would wait for ever
            throw e;
          } catch (SQLException e) {
            String state = e.getSQLState();
            answer.completeExceptionally(
                new StatementException(
                    state == null ? SqlState.INTERNAL_ERROR : new SqlState(state),
                    String.valueOf(e.getMessage())));
          }
        });
    return answer;
  }

  private String outcome(TransactionId part) throws SQLException {
    try (Connection connection = shard(part.shard()).open()) {
      return ShardSql.rows(
              connection,
              CommitSql.SELECT_STATUS,
              row -> Objects.requireNonNullElse(row.getString(1), ""),
              part.number())
          .get(0);
    }
  }

  /** Once for all: what was prepared then may have been decided and finished in the meantime. */
  private String outcome(Gid gid) throws SQLException {
    try (Connection anchor = shard(gid.anchor()).open()) {
      String before = decision(anchor, gid);
      return !before.isEmpty()
          ? before
          : isPreparedBesideAnchor(gid) ? "in progress" : decision(anchor, gid);
    }
  }

  private static String decision(Connection anchor, Gid gid) throws SQLException {
    return switch (DecisionTable.read(anchor, gid)) {
      case COMMITTED -> "committed";
      case ABORTED -> "aborted";
      case UNKNOWN -> "";
    };
  }

  private Optional<ShardAccess> find(String name) {
    return shards.stream().filter(shard -> shard.name().equals(name)).findFirst();
  }

  private ShardAccess shard(String name) throws SQLException {
    return find(name)
        .orElseThrow(
            () ->
                new SQLException(
                    "there is no shard " + name, SqlState.INVALID_PARAMETER_VALUE.code()));
  }

  /** What the last run could not finish, for SHOW TRANSACTIONS and metrics. */
  public List<InDoubt> inDoubt() {
    return last.inDoubt();
  }
}
