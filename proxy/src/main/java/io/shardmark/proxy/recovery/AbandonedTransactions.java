package io.shardmark.proxy.recovery;

import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.background.BackgroundTask;
import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.GidSequence;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks often and cheaply for what a dead proxy has left prepared, and shows the other proxies that
 * this one lives. For each shard a background task with its own connection, so that a shard that is
 * silent keeps no other waiting.
 */
public final class AbandonedTransactions {
  private static final Duration INTERVAL = Duration.ofMillis(500);
  private static final Duration RETRY = Duration.ofSeconds(1);

  /**
   * So many looks in a row ask for recovery because of the same transaction; then its own interval
   * is enough. More than one: another shard may show a proxy that has just died a little longer.
   */
  private static final int REPORTS = 10;

  /** As long as opening a connection may take. */
  private static final Duration FIRST_LOOKS = Duration.ofSeconds(5);

  private final GidSequence gids;
  private final RecoveryOptions options;
  private final Runnable found;
  private final BackgroundRunner runner;
  private final List<AbandonedWatch> watches = new CopyOnWriteArrayList<>();

  /**
   * @param gids of this proxy
   * @param found runs when recovery should, on a background thread; must not block
   */
  public AbandonedTransactions(
      List<ShardAccess> shards,
      GidSequence gids,
      RecoveryOptions options,
      Runnable found,
      BackgroundRunner runner) {
    this.gids = gids;
    this.options = options;
    this.found = found;
    this.runner = runner;
    shards.forEach(shard -> watches.add(new AbandonedWatch(shard)));
  }

  /** Looks at one more shard. */
  public void add(ShardAccess shard) {
    AbandonedWatch watch = new AbandonedWatch(shard);
    watches.add(watch);
    watch.task.runSoon();
  }

  /**
   * Begins to look. Blocks until this proxy shows itself on all shards that answer soon: others
   * leave what it prepares alone from then on.
   */
  public void start() throws InterruptedException {
    watches.forEach(watch -> watch.task.runSoon());
    long deadline = System.nanoTime() + FIRST_LOOKS.toNanos();
    for (AbandonedWatch watch : watches) {
      boolean looked =
          watch.first.await(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      if (!looked) {
        return;
      }
    }
  }

  /** Closes the connections; no task may run any more. */
  public void close() {
    watches.forEach(AbandonedWatch::close);
  }

  /** One shard. Belongs to one thread at a time. */
  private final class AbandonedWatch {
    private final ShardAccess shard;
    private final BackgroundTask task;
    private final CountDownLatch first = new CountDownLatch(1);
    private @Nullable ShardSession session;

    /** What is abandoned by name, and in how many looks it has been. */
    private final Map<String, Integer> seen = new HashMap<>();

    AbandonedWatch(ShardAccess shard) {
      this.shard = shard;
      this.task = runner.task("prepared " + shard.name(), this::run);
    }

    Duration run() {
      try {
        look();
        return INTERVAL;
      } catch (SQLException e) {
        // The catalog's task reports a shard that does not answer.
        close();
        return RETRY;
      } finally {
        first.countDown();
      }
    }

    private void look() throws SQLException {
      ShardSession open = session;
      if (open == null) {
        open = ShardSession.open(shard, options.lockLimit());
        session = open;
        open.show(gids.incarnation());
        // It may be back with what recovery has waited for.
        seen.clear();
        found.run();
      }
      Set<String> abandoned = abandoned(open);
      seen.keySet().retainAll(abandoned);
      abandoned.forEach(name -> seen.merge(name, 1, Integer::sum));
      if (seen.values().stream().anyMatch(looks -> looks <= REPORTS)) {
        found.run();
      }
    }

    private Set<String> abandoned(ShardSession open) throws SQLException {
      Map<String, Long> proxies = new HashMap<>();
      for (ShardSession.Prepared one : open.prepared()) {
        Gid.parsePrepared(one.name())
            .map(Gid.PreparedName::gid)
            .filter(gid -> gid.incarnation() != gids.incarnation())
            .filter(gid -> one.age().compareTo(options.grace(false)) >= 0)
            .ifPresent(gid -> proxies.put(one.name(), gid.incarnation()));
      }
      if (!proxies.isEmpty()) {
        proxies.values().removeAll(open.livingProxies());
      }
      return proxies.keySet();
    }

    void close() {
      ShardSession open = session;
      session = null;
      if (open != null) {
        open.close();
      }
    }
  }
}
