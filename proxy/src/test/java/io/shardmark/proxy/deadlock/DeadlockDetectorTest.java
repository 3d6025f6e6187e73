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
      open.add(new OpenTransaction(id, id, backends));
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
    cancelled.add(id + " on " + backend.shard() + ": " + detail.replaceAll("Process \\d+", "P"));
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

  /** Looks until that many wait. */
  private void lookUntilWaiting(int count) {
    for (int look = 0; detector.waits().size() < count && look < MAX_LOOKS; look++) {
      assertThat(detector.look()).as("cancelled too early").isZero();
    }
    assertThat(detector.waits()).hasSize(count);
  }

  @Test
  void cancelsTheYoungestAfterTheSecondLook()
      throws SQLException, InterruptedException, ExecutionException {
    update(1, 0, 1);
    update(2, 1, 1);
    CompletableFuture<Integer> first = updateLater(1, 1, 1);
    CompletableFuture<Integer> second = updateLater(2, 0, 1);
    lookUntilWaiting(2);
    assertThat(detector.waits())
        .extracting(LockWait::transaction)
        .containsExactlyInAnyOrder(Optional.of(1L), Optional.of(2L));
    assertThat(detector.look()).isEqualTo(1);
    assertThatThrownBy(() -> second.get(1, TimeUnit.MINUTES)).hasMessageContaining("57014");
    assertThat(cancelled)
        .containsExactly(
            "2 on 0: P of shard 0 waits for transaction 1 in a cycle over several" + " shards.");
    connections.get(1).get(1).rollback();
    assertThat(first.get()).isEqualTo(1);
    assertThat(detector.look()).isZero();
    assertThat(detector.waits()).isEmpty();
    assertThat(broken.sum()).isEqualTo(1);
  }

  @Test
  void leavesAPlainWaitAlone() throws SQLException, InterruptedException, ExecutionException {
    update(1, 0, 1);
    update(2, 1, 1);
    CompletableFuture<Integer> waiting = updateLater(2, 0, 1);
    lookUntilWaiting(1);
    assertThat(detector.look() + detector.look() + detector.look()).isZero();
    LockWait wait = detector.waits().get(0);
    assertThat(wait.transaction()).contains(2L);
    assertThat(wait.blockingTransaction()).contains(1L);
    assertThat(wait.lock()).contains("transactionid");
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
    lookUntilWaiting(3);
    assertThat(detector.look()).isEqualTo(1);
    assertThatThrownBy(() -> second.get(1, TimeUnit.MINUTES)).hasMessageContaining("57014");
    assertThat(first).isNotDone();
    assertThat(stranger).isNotDone();
    assertThat(cancelled).hasSize(1);
  }

  @Test
  void namesAPreparedTransactionInTheWay() throws SQLException {
    TestShards.execute(
        shards.shard(0), "BEGIN; UPDATE item SET n = 1 WHERE id = 2; PREPARE TRANSACTION 'mine'");
    CompletableFuture<Integer> waiting = updateLater(1, 0, 2);
    lookUntilWaiting(1);
    assertThat(detector.waits().get(0).blockingProcessId()).isZero();
    TestShards.execute(shards.shard(0), "ROLLBACK PREPARED 'mine'");
    assertThat(waiting.join()).isEqualTo(1);
  }
}
