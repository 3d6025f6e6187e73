package io.shardmark.proxy.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.recovery.TestShards;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Transactions over real shards that lock rows of them crosswise, and the proxies that they are
 * given to. Numbered from 1, a greater one is younger.
 */
final class CrossingTransactions implements AutoCloseable {
  private final List<List<Connection>> connections = new ArrayList<>();
  private final List<TransactionDirectory.OpenTransaction> open = new ArrayList<>();
  private final List<Proxy> proxies = new ArrayList<>();
  private final BackgroundRunner runner = new BackgroundRunner();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final TestShards shards;

  CrossingTransactions(int shardCount, int count) throws SQLException {
    shards = TestShards.create(shardCount);
    shards.execute("CREATE TABLE item (id int PRIMARY KEY, n int)");
    shards.execute("INSERT INTO item SELECT id, 0 FROM generate_series(1, 9) id");
    for (long id = 1; id <= count; id++) {
      List<TransactionDirectory.Backend> backends = new ArrayList<>();
      List<Connection> own = new ArrayList<>();
      for (int shard = 0; shard < shardCount; shard++) {
        Connection connection = shards.shard(shard).open();
        connection.setAutoCommit(false);
        own.add(connection);
        backends.add(new TransactionDirectory.Backend(shard, processId(connection)));
      }
      connections.add(own);
      open.add(
          new TransactionDirectory.OpenTransaction(id, TimeUnit.SECONDS.toNanos(id), "", backends));
    }
  }

  private static int processId(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      assertThat(row.next()).isTrue();
      return row.getInt(1);
    }
  }

  /** A proxy with a detector that looks when it is told to. */
  final class Proxy implements TransactionDirectory {
    private final List<OpenTransaction> own = new CopyOnWriteArrayList<>();
    private final List<String> cancelled = new ArrayList<>();
    private final LongAdder broken = new LongAdder();
    private final DeadlockDetector detector;
    private boolean slow;

    private Proxy(List<ShardAccess> access) {
      detector = new DeadlockDetector(access, this, proxies.size() + 1, broken::increment, runner);
      proxies.add(this);
    }

    DeadlockDetector detector() {
      return detector;
    }

    /** Whose statement has been cancelled, where, and the detail without its changing numbers. */
    List<String> cancelled() {
      return cancelled;
    }

    long broken() {
      return broken.sum();
    }

    /** Whether cancel requests do not come to the server yet. */
    void setSlow(boolean now) {
      slow = now;
    }

    void give(OpenTransaction transaction) {
      own.add(transaction);
    }

    void take(long id) {
      own.removeIf(transaction -> transaction.id() == id);
    }

    int look() {
      return detector.look();
    }

    List<LockWait> waits() {
      return detector.waits().waits();
    }

    @Override
    public List<OpenTransaction> snapshot() {
      return List.copyOf(own);
    }

    @Override
    public void cancel(long id, Backend backend, String detail) {
      cancelled.add(
          id
              + " on "
              + backend.shard()
              + ": "
              + detail
                  .replaceAll("Process \\d+", "P")
                  .replaceAll("process \\d+", "process P")
                  .replaceAll("transaction \\d+", "transaction X"));
      if (slow) {
        return;
      }
      try {
        TestShards.execute(
            shards.shard(backend.shard()), "SELECT pg_cancel_backend(" + backend.processId() + ")");
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** A proxy that has these transactions. */
  Proxy proxy(Integer... ids) {
    return proxy(shards.all(), ids);
  }

  /** One that works under that role, which may do nothing but log in. */
  Proxy proxyOf(String role, Integer... ids) throws SQLException {
    return proxy(shards.as(role), ids);
  }

  private Proxy proxy(List<ShardAccess> access, Integer... ids) {
    Proxy proxy = new Proxy(access);
    for (int id : ids) {
      proxy.give(open(id));
    }
    return proxy;
  }

  TestShards shards() {
    return shards;
  }

  TransactionDirectory.OpenTransaction open(int id) {
    return open.get(id - 1);
  }

  Connection connection(int id, int shard) {
    return connections.get(id - 1).get(shard);
  }

  void execute(int id, int shard, String sql) throws SQLException {
    try (Statement statement = connection(id, shard).createStatement()) {
      statement.execute(sql);
    }
  }

  void update(int id, int shard, int row) throws SQLException {
    execute(id, shard, "UPDATE item SET n = n + 1 WHERE id = " + row);
  }

  /** Gives its number when it has the row. */
  CompletableFuture<Integer> updateLater(int id, int shard, int row) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            update(id, shard, row);
            return id;
          } catch (SQLException e) {
            throw new IllegalStateException(e.getSQLState(), e);
          }
        },
        threads);
  }

  void rollback(int id) throws SQLException {
    for (Connection connection : connections.get(id - 1)) {
      connection.rollback();
    }
  }

  /** Returns when that many wait. */
  void awaitWaiting(int count) {
    Proxy any = proxies.get(0);
    Await.until(count + " wait", any::waits, () -> any.waits().size() == count);
  }

  /** Looks of all these in turn until one has cancelled somebody; how many did so then. */
  static int lookUntilBroken(Collection<Proxy> looking, int limit) {
    for (int round = 0; round < limit; round++) {
      int broken = looking.stream().mapToInt(Proxy::look).sum();
      if (broken > 0) {
        return broken;
      }
    }
    return 0;
  }

  @Override
  public void close() throws SQLException {
    proxies.forEach(proxy -> proxy.detector().close());
    runner.close();
    for (List<Connection> own : connections) {
      for (Connection connection : own) {
        connection.close();
      }
    }
    threads.shutdown();
  }
}
