package io.shardmark.proxy.deadlock;

import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches all shards, each over a connection that is kept: their lock waits, and what proxies show
 * of their transactions there. All are asked at once, so that a shard that is silent does not keep
 * the others from being looked at. Belongs to one thread at a time; asks on its own threads.
 */
final class ShardMonitors implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShardMonitors.class);

  private final List<ShardAccess> shards;
  private final Duration patience;
  private final List<ShardMonitor> monitors = new CopyOnWriteArrayList<>();
  private final Executor threads;

  /**
   * @param shards in the order of their indexes
   * @param patience how long a shard that has answered the last time may take
   */
  ShardMonitors(List<ShardAccess> shards, Duration patience, BackgroundRunner runner) {
    this.shards = shards;
    this.patience = patience;
    this.threads = runner.threads("deadlock-shard", Math.max(1, shards.size()));
    takeShards();
  }

  /** One more may count. */
  private void takeShards() {
    for (int shard = monitors.size(); shard < shards.size(); shard++) {
      monitors.add(new ShardMonitor(shard, shards.get(shard)));
    }
  }

  /**
   * What was seen on one shard in one look.
   *
   * @param shown whose the parts of transactions are, by their keys
   */
  record Seen(List<LockWait> waits, Map<String, Party.PartyTransaction> shown) {}

  /**
   * @param byShard what was seen, by the shard's index
   * @param unreachable why there is no answer, by the shard's name
   */
  record Answers(Map<Integer, Seen> byShard, Map<String, String> unreachable) {
    List<LockWait> waits() {
      return byShard.values().stream().flatMap(seen -> seen.waits().stream()).toList();
    }

    /** Which transaction a part is shown to be of. */
    Optional<Party.PartyTransaction> shown(ServerTransaction part) {
      return Optional.ofNullable(byShard.get(part.shard()))
          .map(seen -> seen.shown().get(part.key()));
    }
  }

  /** Looks at the waits that are not known to be shorter; blocks as long as patience lasts. */
  Answers look(Duration atLeast) {
    takeShards();
    monitors.forEach(monitor -> monitor.ask(atLeast));
    long deadline = System.nanoTime() + patience.toNanos();
    Answers answers = new Answers(new TreeMap<>(), new HashMap<>());
    for (ShardMonitor monitor : monitors) {
      monitor
          .answer(deadline)
          .ifPresentOrElse(
              seen -> answers.byShard().put(monitor.shard, seen),
              () -> answers.unreachable().put(monitor.access.name(), monitor.trouble));
    }
    return answers;
  }

  /** Shows other proxies on each shard what its monitor makes of it, from the next look on. */
  void show(Map<Integer, Map<String, Party.PartyTransaction>> parts) {
    for (ShardMonitor monitor : monitors) {
      monitor.comment = ShownParts.comment(parts.getOrDefault(monitor.shard, Map.of()));
    }
  }

  String shardName(int shard) {
    return monitors.get(shard).access.name();
  }

  /** Ends whatever goes on. Any thread. */
  @Override
  public void close() {
    monitors.forEach(ShardMonitor::abort);
  }

  /** One shard. */
  private final class ShardMonitor {
    private final int shard;
    private final ShardAccess access;
    private volatile @Nullable Connection connection;

    /** What is in front of its questions; see {@link ShownParts}. */
    private volatile String comment = "";

    /** What it was asked last; as long as that is not done it is not asked again. */
    private @Nullable FutureTask<Seen> asked;

    /** Whether that was in the present look: an answer to an earlier one may not be true now. */
    private boolean askedNow;

    /** Why its last answer was none, "" if it was one: then it is waited for. */
    private volatile String trouble = "";

    ShardMonitor(int shard, ShardAccess access) {
      this.shard = shard;
      this.access = access;
    }

    /** Asks for waits, unless it has not answered the last time yet. */
    void ask(Duration atLeast) {
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
      LOG.debug("shard {}: {}", access.name(), trouble);
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
}
