package io.shardmark.proxy.deadlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.deadlock.CrossingTransactions.Proxy;
import io.shardmark.proxy.deadlock.TransactionDirectory.OpenTransaction;
import io.shardmark.proxy.recovery.TestShards;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One proxy's transactions over two real shards that lock rows crosswise. */
final class DeadlockDetectorTest {
  private CrossingTransactions transactions;

  @BeforeEach
  void open() throws SQLException {
    transactions = new CrossingTransactions(2, 3);
  }

  @AfterEach
  void close() throws SQLException {
    transactions.close();
  }

  /** When that many wait, looks for the first time. */
  private void lookWhenWaiting(Proxy proxy, int count) {
    transactions.awaitWaiting(count);
    assertThat(proxy.look()).as("cancelled too early").isZero();
  }

  @Test
  void cancelsTheYoungestAfterTheSecondLook()
      throws SQLException, InterruptedException, ExecutionException {
    Proxy proxy = transactions.proxy(1, 2);
    transactions.update(1, 0, 1);
    transactions.update(2, 1, 1);
    CompletableFuture<Integer> first = transactions.updateLater(1, 1, 1);
    CompletableFuture<Integer> second = transactions.updateLater(2, 0, 1);
    lookWhenWaiting(proxy, 2);
    assertThat(proxy.waits()).extracting(LockWait::shard).containsExactlyInAnyOrder(0, 1);
    assertThat(proxy.look()).isEqualTo(1);
    assertThatThrownBy(() -> Await.result(second)).hasMessageContaining("57014");
    assertThat(proxy.cancelled())
        .containsExactly(
            "2 on 0: P of shard s0 waits for ShareLock on transaction X; blocked by process P.\n"
                + "P of shard s1 waits for ShareLock on transaction X; blocked by process P.");
    transactions.rollback(2);
    assertThat(first.get()).isEqualTo(1);
    assertThat(proxy.look()).isZero();
    assertThat(proxy.waits()).isEmpty();
    assertThat(proxy.broken()).isEqualTo(1);
  }

  /** It is asked for again, but is the same deadlock. */
  @Test
  void aCancelThatTakesLongerThanTheLooksIsCountedOnce() throws SQLException {
    Proxy proxy = transactions.proxy(1, 2);
    proxy.setSlow(true);
    transactions.update(1, 0, 1);
    transactions.update(2, 1, 1);
    CompletableFuture<Integer> first = transactions.updateLater(1, 1, 1);
    CompletableFuture<Integer> second = transactions.updateLater(2, 0, 1);
    lookWhenWaiting(proxy, 2);
    List<Proxy> alone = List.of(proxy);
    for (int time = 0; time < 3; time++) {
      assertThat(CrossingTransactions.lookUntilBroken(alone, 5)).isEqualTo(1);
      assertThat(second).isNotDone();
    }
    proxy.setSlow(false);
    assertThat(CrossingTransactions.lookUntilBroken(alone, 5)).isEqualTo(1);
    assertThatThrownBy(() -> Await.result(second)).hasMessageContaining("57014");
    transactions.rollback(2);
    assertThat(first.join()).isEqualTo(1);
    assertThat(proxy.broken()).isEqualTo(1);
    // The next one is another, although it is between the same.
    transactions.update(2, 1, 2);
    CompletableFuture<Integer> firstAgain = transactions.updateLater(1, 1, 2);
    CompletableFuture<Integer> secondAgain = transactions.updateLater(2, 0, 1);
    lookWhenWaiting(proxy, 2);
    assertThat(CrossingTransactions.lookUntilBroken(alone, 5)).isEqualTo(1);
    assertThatThrownBy(() -> Await.result(secondAgain)).hasMessageContaining("57014");
    assertThat(proxy.broken()).isEqualTo(2);
    transactions.rollback(2);
    assertThat(firstAgain.join()).isEqualTo(1);
  }

  @Test
  void leavesAPlainWaitAlone() throws SQLException, InterruptedException, ExecutionException {
    Proxy proxy = transactions.proxy(1, 2);
    transactions.update(1, 0, 1);
    transactions.update(2, 1, 1);
    CompletableFuture<Integer> waiting = transactions.updateLater(2, 0, 1);
    lookWhenWaiting(proxy, 1);
    assertThat(proxy.look() + proxy.look() + proxy.look()).isZero();
    try (Connection other = transactions.shards().shard(0).open();
        Statement statement = other.createStatement();
        ResultSet shown =
            statement.executeQuery(
                "SELECT FROM pg_stat_activity WHERE starts_with(query, '/*shardmark')")) {
      assertThat(shown.next()).as("shown to other proxies, which it does not concern").isFalse();
    }
    LockWait wait = proxy.waits().get(0);
    assertThat(wait.waiter().processId())
        .isEqualTo(transactions.open(2).backends().get(0).processId());
    assertThat(wait.holder().processId())
        .isEqualTo(transactions.open(1).backends().get(0).processId());
    assertThat(wait.lock()).matches("ShareLock on transaction \\d+");
    assertThat(wait.statement()).startsWith("UPDATE item");
    transactions.rollback(1);
    assertThat(waiting.get()).isEqualTo(2);
    assertThat(proxy.cancelled()).isEmpty();
  }

  @Test
  void seesACycleThroughAStrangerButGivesItsProxyTime() throws SQLException {
    Proxy proxy = transactions.proxy(1, 2);
    transactions.update(1, 0, 1);
    transactions.update(2, 1, 1);
    transactions.update(3, 0, 2);
    // The stranger's own transaction waits on one shard only: 1 > 2 > stranger > 1.
    CompletableFuture<Integer> first = transactions.updateLater(1, 1, 1);
    CompletableFuture<Integer> stranger = transactions.updateLater(3, 0, 1);
    CompletableFuture<Integer> second = transactions.updateLater(2, 0, 2);
    lookWhenWaiting(proxy, 3);
    for (int look = 0; look < DeadlockDetector.PATIENCE; look++) {
      assertThat(proxy.look()).as("another proxy may yet say whose it is").isZero();
    }
    assertThat(proxy.look()).isEqualTo(1);
    assertThatThrownBy(() -> Await.result(second)).hasMessageContaining("57014");
    assertThat(first).isNotDone();
    assertThat(stranger).isNotDone();
    assertThat(proxy.cancelled()).hasSize(1);
  }

  @Test
  void aPreparedPartWaitsAsItsTransactionDoes() throws SQLException {
    // 1 is prepared on shard 0 and waits for 2 on shard 1; 2 waits for what 1 has prepared.
    String gid = "shardmark:s1:00000000000000aa:1";
    Proxy proxy = transactions.proxy(2);
    proxy.give(new OpenTransaction(1, 1, gid, transactions.open(1).backends().subList(1, 2)));
    transactions.update(1, 0, 1);
    transactions.update(2, 1, 1);
    transactions.execute(1, 0, "PREPARE TRANSACTION '" + gid + ":s0'");
    CompletableFuture<Integer> ofFirst = transactions.updateLater(1, 1, 1);
    CompletableFuture<Integer> ofSecond = transactions.updateLater(2, 0, 1);
    lookWhenWaiting(proxy, 2);
    assertThat(proxy.look()).isEqualTo(1);
    assertThatThrownBy(() -> Await.result(ofSecond)).hasMessageContaining("57014");
    assertThat(proxy.cancelled().get(0)).contains("blocked by prepared transaction " + gid + ":s0");
    transactions.rollback(2);
    assertThat(ofFirst.join()).isEqualTo(1);
    TestShards.execute(transactions.shards().shard(0), "ROLLBACK PREPARED '" + gid + ":s0'");
  }

  @Test
  void namesAPreparedTransactionInTheWay() throws SQLException {
    Proxy proxy = transactions.proxy(1);
    TestShards.execute(
        transactions.shards().shard(0),
        "BEGIN; UPDATE item SET n = 1 WHERE id = 2; PREPARE TRANSACTION 'mine'");
    CompletableFuture<Integer> waiting = transactions.updateLater(1, 0, 2);
    lookWhenWaiting(proxy, 1);
    assertThat(proxy.waits().get(0).holder()).isEqualTo(new ServerTransaction(0, 0, "mine"));
    TestShards.execute(transactions.shards().shard(0), "ROLLBACK PREPARED 'mine'");
    assertThat(waiting.join()).isEqualTo(1);
  }
}
