package io.shardmark.proxy.deadlock;

import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches one shard over a connection that it keeps: its lock waits, and what proxies show of their
 * transactions there. Asked by one thread at a time, answers on another.
 */
final class ShardMonitor {
  private static final Logger LOG = LoggerFactory.getLogger(ShardMonitor.class);

  private final int shard;
  private final ShardAccess access;
  private volatile @Nullable Connection connection;
  private volatile String comment = "";

  /** What it was asked last; as long as that is not done it is not asked again. */
  private @Nullable FutureTask<Seen> asked;

  /** Whether that was in the present look: an answer to an earlier one may not be true any more. */
  private boolean askedNow;

  /** Why its last answer was none, "" if it was one: then it is waited for. */
  private volatile String trouble = "";

  ShardMonitor(int shard, ShardAccess access) {
    this.shard = shard;
    this.access = access;
  }

  /**
   * What was seen in one look.
   *
   * @param shown whose the parts of transactions are, by their keys
   */
  record Seen(List<LockWait> waits, Map<String, Party.Transaction> shown) {}

  String shardName() {
    return access.name();
  }

  /** Why its last answer was none. */
  String trouble() {
    return trouble;
  }

  /** What stands in front of its questions from the next one on; see {@link ShownParts}. */
  void show(String text) {
    comment = text;
  }

  /**
   * Asks for waits, unless it has not answered the last time yet.
   *
   * @param atLeast leaves out those that are known to be shorter
   * @param threads where it answers
   */
  void ask(Duration atLeast, Executor threads) {
    FutureTask<Seen> last = asked;
    askedNow = last == null || last.isDone();
    if (askedNow) {
      FutureTask<Seen> next = new FutureTask<>(() -> look(atLeast));
      asked = next;
      threads.execute(next);
    }
  }

  /** Its answer; who was silent the last time is not waited for. Blocks until the deadline. */
  Optional<Seen> answer(long deadlineNanos) {
    FutureTask<Seen> answer = asked;
    if (answer == null || !askedNow) {
      return Optional.empty();
    }
    try {
      long limit = trouble.isEmpty() ? Math.max(0, deadlineNanos - System.nanoTime()) : 0;
      return Optional.of(answer.get(limit, TimeUnit.NANOSECONDS));
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof SQLException)) {
        throw new IllegalStateException(e.getCause());
      }
      // A shard that is away has no waits either; recovery and health checks report it.
    } catch (TimeoutException e) {
      if (trouble.isEmpty()) {
        trouble = "it does not answer";
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    LOG.debug("shard {}: {}", shardName(), trouble);
    return Optional.empty();
  }

  private Seen look(Duration atLeast) throws SQLException {
    try {
      Connection open = connection;
      if (open == null) {
        open = access.open();
        connection = open;
      }
      Seen seen = WaitQuery.read(open, comment, shard, atLeast);
      trouble = "";
      return seen;
    } catch (SQLException e) {
      trouble = String.valueOf(e.getMessage());
      ShardSql.close(connection);
      connection = null;
      throw e;
    }
  }

  /** Ends whatever goes on. Any thread. */
  void abort() {
    Connection open = connection;
    if (open != null) {
      try {
        open.abort(Runnable::run);
      } catch (SQLException e) {
        // It was broken already.
      }
    }
  }
}
