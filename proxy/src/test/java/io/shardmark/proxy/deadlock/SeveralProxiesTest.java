package io.shardmark.proxy.deadlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.deadlock.CrossingTransactions.Proxy;
import io.shardmark.proxy.deadlock.TransactionDirectory.Backend;
import io.shardmark.proxy.deadlock.TransactionDirectory.OpenTransaction;
import io.shardmark.proxy.recovery.TestShards;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Circles through transactions of several proxies, whose detectors look when a test says so. They
 * work under a role that may do nothing but log in.
 */
final class SeveralProxiesTest {
  private static final String ROLE = "watcher";
  private static final int LIMIT = 20;

  private CrossingTransactions transactions;

  @BeforeEach
  void open() throws SQLException {
    transactions = new CrossingTransactions(3, 4);
  }

  @AfterEach
  void close() throws SQLException {
    transactions.close();
  }

  private static void assertIsVictim(CompletableFuture<Integer> cancelled) {
    assertThatThrownBy(() -> Await.result(cancelled)).hasMessageContaining("57014");
  }

  /** 1 has a row of shard 0 and wants one of shard 1, which 2 has, who wants that of shard 0. */
  private List<CompletableFuture<Integer>> circleOfTwo() throws SQLException {
    transactions.update(1, 0, 1);
    transactions.update(2, 1, 1);
    var waiting = List.of(transactions.updateLater(1, 1, 1), transactions.updateLater(2, 0, 1));
    transactions.awaitWaiting(2);
    return waiting;
  }

  @Test
  void theProxyOfTheYoungestBreaksTheCircle() throws Exception {
    Proxy older = transactions.proxyOf(ROLE, 1);
    Proxy younger = transactions.proxyOf(ROLE, 2);
    var waiting = circleOfTwo();
    // Seen; seen again and shown; then all of it can be seen.
    assertThat(CrossingTransactions.lookUntilBroken(List.of(older, younger), 3)).isEqualTo(1);
    assertIsVictim(waiting.get(1));
    assertThat(older.cancelled()).isEmpty();
    assertThat(younger.cancelled())
        .containsExactly(
            "2 on 0: P of shard s0 waits for ShareLock on transaction X; blocked by process P.\n"
                + "P of shard s1 waits for ShareLock on transaction X; blocked by process P.");
    transactions.rollback(2);
    assertThat(Await.result(waiting.get(0))).isEqualTo(1);
    assertThat(CrossingTransactions.lookUntilBroken(List.of(older, younger), LIMIT)).isZero();
  }

  @Test
  void threeProxiesChooseTheSameVictimOfACircleOverThreeShards() throws Exception {
    List<Proxy> proxies =
        List.of(
            transactions.proxyOf(ROLE, 3),
            transactions.proxyOf(ROLE, 1),
            transactions.proxyOf(ROLE, 2));
    transactions.update(1, 0, 1);
    transactions.update(2, 1, 1);
    transactions.update(3, 2, 1);
    var first = transactions.updateLater(1, 1, 1);
    var second = transactions.updateLater(2, 2, 1);
    var third = transactions.updateLater(3, 0, 1);
    transactions.awaitWaiting(3);
    assertThat(CrossingTransactions.lookUntilBroken(proxies, LIMIT)).isEqualTo(1);
    assertIsVictim(third);
    transactions.rollback(3);
    assertThat(Await.result(second)).isEqualTo(2);
    assertThat(first).isNotDone();
    transactions.rollback(2);
    assertThat(Await.result(first)).isEqualTo(1);
    assertThat(CrossingTransactions.lookUntilBroken(proxies, LIMIT)).isZero();
  }

  @Test
  void aPreparedPartIsKnownToOtherProxies() throws Exception {
    String gid = "shardmark:s1:00000000000000aa:1";
    Proxy younger = transactions.proxyOf(ROLE, 2);
    Proxy older = transactions.proxyOf(ROLE);
    older.give(new OpenTransaction(1, 1, gid, transactions.open(1).backends().subList(1, 2)));
    transactions.update(1, 0, 1);
    transactions.update(2, 1, 1);
    transactions.execute(1, 0, "PREPARE TRANSACTION '" + gid + ":s0'");
    var waiting = List.of(transactions.updateLater(1, 1, 1), transactions.updateLater(2, 0, 1));
    transactions.awaitWaiting(2);
    assertThat(CrossingTransactions.lookUntilBroken(List.of(younger, older), LIMIT)).isEqualTo(1);
    assertIsVictim(waiting.get(1));
    transactions.rollback(2);
    assertThat(Await.result(waiting.get(0))).isEqualTo(1);
    TestShards.execute(transactions.shards().shard(0), "ROLLBACK PREPARED '" + gid + ":s0'");
  }

  @Test
  void aLongWaitThroughTwoProxiesIsNoCircle() throws Exception {
    Proxy one = transactions.proxyOf(ROLE, 1, 4);
    Proxy other = transactions.proxyOf(ROLE, 2, 3);
    // 3 > 1 > 2, and 4 > 2: 1 is between transactions of the other proxy.
    transactions.update(1, 0, 1);
    transactions.update(2, 1, 1);
    transactions.update(2, 2, 1);
    var waiting =
        List.of(
            transactions.updateLater(3, 0, 1),
            transactions.updateLater(1, 1, 1),
            transactions.updateLater(4, 2, 1));
    transactions.awaitWaiting(3);
    assertThat(CrossingTransactions.lookUntilBroken(List.of(one, other), LIMIT)).isZero();
    transactions.rollback(2);
    assertThat(Await.result(waiting.get(1))).isEqualTo(1);
    assertThat(Await.result(waiting.get(2))).isEqualTo(4);
    transactions.rollback(1);
    assertThat(Await.result(waiting.get(0))).isEqualTo(3);
  }

  @Test
  void aProxyThatDoesNotActIsActedFor() throws Exception {
    Proxy older = transactions.proxyOf(ROLE, 1);
    Proxy silent = transactions.proxyOf(ROLE, 2);
    var waiting = circleOfTwo();
    // The other does not look any more when it has shown its own.
    assertThat(silent.look() + silent.look()).isZero();
    assertThat(older.look()).isZero();
    for (int look = 0; look < DeadlockDetector.PATIENCE; look++) {
      assertThat(older.look()).as("the other's turn").isZero();
    }
    assertThat(older.look()).isEqualTo(1);
    assertIsVictim(waiting.get(0));
    transactions.rollback(1);
    assertThat(Await.result(waiting.get(1))).isEqualTo(2);
    assertThat(silent.look()).isZero();
  }

  @Test
  void whatATransactionShowsIsNotBelievedOfTheNextOne() throws Exception {
    Proxy older = transactions.proxyOf(ROLE, 1);
    Proxy silent = transactions.proxyOf(ROLE, 2);
    transactions.execute(1, 0, "SELECT FROM item WHERE id = 9 FOR UPDATE");
    var waiting = circleOfTwo();
    assertThat(silent.look() + silent.look()).isZero();
    assertThat(older.look()).isZero();
    // It ends, and its connections are used by two others: 1 > one of them, the other > 1.
    cancel(transactions.open(2).backends().get(0));
    assertIsVictim(waiting.get(1));
    transactions.connection(2, 0).rollback();
    var next = transactions.updateLater(2, 0, 9);
    transactions.connection(2, 1).rollback();
    assertThat(Await.result(waiting.get(0))).isEqualTo(1);
    transactions.update(2, 1, 2);
    var again = transactions.updateLater(1, 1, 2);
    transactions.awaitWaiting(2);
    assertThat(CrossingTransactions.lookUntilBroken(List.of(older), LIMIT)).isZero();
    transactions.connection(2, 1).rollback();
    assertThat(Await.result(again)).isEqualTo(1);
    transactions.rollback(1);
    assertThat(Await.result(next)).isEqualTo(2);
  }

  @Test
  void otherRolesAreNotBelieved() throws Exception {
    Proxy older = transactions.proxyOf(ROLE, 1);
    Proxy liar = transactions.proxy(2);
    var waiting = circleOfTwo();
    assertThat(CrossingTransactions.lookUntilBroken(List.of(older, liar), LIMIT)).isZero();
    cancel(transactions.open(2).backends().get(0));
    assertIsVictim(waiting.get(1));
    transactions.rollback(2);
    assertThat(Await.result(waiting.get(0))).isEqualTo(1);
  }

  private void cancel(Backend backend) throws SQLException {
    TestShards.execute(
        transactions.shards().shard(backend.shard()),
        "SELECT pg_cancel_backend(" + backend.processId() + ")");
  }
}
