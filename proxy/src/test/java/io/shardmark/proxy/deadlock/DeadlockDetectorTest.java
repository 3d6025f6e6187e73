package io.shardmark.proxy.deadlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.recovery.TestShards;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two transactions over two real shards that lock two rows crosswise. */
final class DeadlockDetectorTest implements TransactionDirectory {
  private static final int MAX_LOOKS = 1_000;

  private final List<OpenTransaction> open = new ArrayList<>();
  private final List<List<Connection>> connections = new ArrayList<>();
  private final List<String> cancelled = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final LongAdder broken = new LongAdder();
  private TestShards shards;
  private DeadlockDetector detector;

  @BeforeEach
  void openTransactions() throws SQLException {
    shards = TestShards.create(2);
    shards.execute("CREATE TABLE item (id int PRIMARY KEY, n int)");
    shards.execute("INSERT INTO item VALUES (1, 0), (2, 0)");
    for (long id = 1; id <= 3; id++) {
      List<Backend> backends = new ArrayList<>();
      List<Connection> own = new ArrayList<>();
      for (int shard = 0; shard < 2; shard++) {
        Connection connection = shards.shard(shard).open();
        connection.setAutoCommit(false);
        own.add(connection);
        backends.add(new Backend(shard, processId(connection)));
      }
      connections.add(own);
      open.add(new OpenTransaction(id, id, "", backends));
    }
    detector = new DeadlockDetector(shards.all(), this, broken::increment);
  }

  @AfterEach
  void close() throws SQLException {
    detector.close();
    threads.shutdown();
    for (List<Connection> own : connections) {
      for (Connection connection : own) {
        connection.close();
      }
    }
  }

  private static int processId(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      assertThat(row.next()).isTrue();
      return row.getInt(1);
    }
  }

  @Override
  public List<OpenTransaction> snapshot() {
    return List.copyOf(open);
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
    try {
      TestShards.execute(
          shards.shard(backend.shard()), "SELECT pg_cancel_backend(" + backend.processId() + ")");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void update(int transaction, int shard, int row) throws SQLException {
    try (Statement statement = connections.get(transaction - 1).get(shard).createStatement()) {
      statement.executeUpdate("UPDATE item SET n = n + 1 WHERE id = " + row);
    }
  }

  private CompletableFuture<Integer> updateLater(int transaction, int shard, int row) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            update(transaction, shard, row);
            return transaction;
          } catch (SQLException e) {
            throw new IllegalStateException(e.getSQLState(), e);
          }
        },
        threads);
  }

  private List<LockWait> waits() {
    return detector.waits().waits();
  }

  /** When that many wait, looks for the first time. */
  private void lookWhenWaiting(int count) {
    for (int look = 0; waits().size() < count && look < MAX_LOOKS; look++) {
      Thread.onSpinWait();
    }
    assertThat(waits()).hasSize(count);
    assertThat(detector.look()).as("cancelled too early").isZero();
  }

  @Test
  void cancelsTheYoungestAfterTheSecondLook()
      throws SQLException, InterruptedException, ExecutionException {
    update(1, 0, 1);
    update(2, 1, 1);
    CompletableFuture<Integer> first = updateLater(1, 1, 1);
    CompletableFuture<Integer> second = updateLater(2, 0, 1);
    lookWhenWaiting(2);
    assertThat(waits())
        .extracting(LockWait::transaction)
        .containsExactlyInAnyOrder(Optional.of(1L), Optional.of(2L));
    assertThat(detector.look()).isEqualTo(1);
    assertThatThrownBy(() -> second.get(1, TimeUnit.MINUTES)).hasMessageContaining("57014");
    assertThat(cancelled)
        .containsExactly(
            "2 on 0: P of shard s0 waits for ShareLock on transaction X; blocked by process P.\n"
                + "P of shard s1 waits for ShareLock on transaction X; blocked by process P.");
    connections.get(1).get(1).rollback();
    assertThat(first.get()).isEqualTo(1);
    assertThat(detector.look()).isZero();
    assertThat(waits()).isEmpty();
    assertThat(broken.sum()).isEqualTo(1);
  }

  @Test
  void leavesAPlainWaitAlone() throws SQLException, InterruptedException, ExecutionException {
    update(1, 0, 1);
    update(2, 1, 1);
    CompletableFuture<Integer> waiting = updateLater(2, 0, 1);
    lookWhenWaiting(1);
    assertThat(detector.look() + detector.look() + detector.look()).isZero();
    LockWait wait = waits().get(0);
    assertThat(wait.transaction()).contains(2L);
    assertThat(wait.blocker().transaction()).contains(1L);
    assertThat(wait.lock()).matches("ShareLock on transaction \\d+");
    assertThat(wait.statement()).startsWith("UPDATE item");
    connections.get(0).get(0).rollback();
    assertThat(waiting.get()).isEqualTo(2);
    assertThat(cancelled).isEmpty();
  }

  @Test
  void seesACycleThroughAStranger() throws SQLException {
    open.remove(2);
    update(1, 0, 1);
    update(2, 1, 1);
    update(3, 0, 2);
    // The stranger's own transaction waits on one shard only: 1 > 2 > stranger > 1.
    CompletableFuture<Integer> first = updateLater(1, 1, 1);
    CompletableFuture<Integer> stranger = updateLater(3, 0, 1);
    CompletableFuture<Integer> second = updateLater(2, 0, 2);
    lookWhenWaiting(3);
    assertThat(detector.look()).isEqualTo(1);
    assertThatThrownBy(() -> second.get(1, TimeUnit.MINUTES)).hasMessageContaining("57014");
    assertThat(first).isNotDone();
    assertThat(stranger).isNotDone();
    assertThat(cancelled).hasSize(1);
  }

  @Test
  void aPreparedPartWaitsAsItsTransactionDoes() throws SQLException {
    // 1 is prepared on shard 0 and waits for 2 on shard 1; 2 waits for what 1 has prepared.
    String gid = "shardmark:s1:00000000000000aa:1";
    OpenTransaction first = open.get(0);
    open.set(0, new OpenTransaction(1, 1, gid, first.backends().subList(1, 2)));
    update(1, 0, 1);
    update(2, 1, 1);
    try (Statement statement = connections.get(0).get(0).createStatement()) {
      statement.execute("PREPARE TRANSACTION '" + gid + ":s0'");
    }
    CompletableFuture<Integer> ofFirst = updateLater(1, 1, 1);
    CompletableFuture<Integer> ofSecond = updateLater(2, 0, 1);
    lookWhenWaiting(2);
    assertThat(detector.look()).isEqualTo(1);
    assertThatThrownBy(() -> ofSecond.get(1, TimeUnit.MINUTES)).hasMessageContaining("57014");
    assertThat(cancelled.get(0)).contains("blocked by prepared transaction " + gid + ":s0");
    connections.get(1).get(1).rollback();
    assertThat(ofFirst.join()).isEqualTo(1);
    TestShards.execute(shards.shard(0), "ROLLBACK PREPARED '" + gid + ":s0'");
  }

  @Test
  void namesAPreparedTransactionInTheWay() throws SQLException {
    TestShards.execute(
        shards.shard(0), "BEGIN; UPDATE item SET n = 1 WHERE id = 2; PREPARE TRANSACTION 'mine'");
    CompletableFuture<Integer> waiting = updateLater(1, 0, 2);
    lookWhenWaiting(1);
    assertThat(waits().get(0).blocker())
        .isEqualTo(new LockWait.Blocker(0, "mine", Optional.empty()));
    TestShards.execute(shards.shard(0), "ROLLBACK PREPARED 'mine'");
    assertThat(waiting.join()).isEqualTo(1);
  }
}
