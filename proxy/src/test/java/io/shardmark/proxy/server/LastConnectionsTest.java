package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.pool.LoopPools;
import io.shardmark.proxy.pool.ShardPool;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.session.Session;
import io.shardmark.proxy.session.SessionContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Clients that hold one shard's last connection and wait for another's. Nobody is refused in these
 * tests before they have given up themselves.
 */
final class LastConnectionsTest {
  @AutoClose private static RunningProxy proxy;
  private static int onFirst;
  private static int onSecond;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "pool_size: 1", "pool_wait_timeout: 10min");
    proxy.makeOnShards(
        "create table t (id int, n int) partition by hash (id);"
            + "create table t_part partition of t for values with (modulus 2, remainder $shard);"
            + "insert into t select id, 0 from generate_series(1, 50) id where"
            + " satisfies_hash_partition('t'::regclass, 2, $shard, id)");
    onFirst = anyRow(0);
    onSecond = anyRow(1);
  }

  private static int anyRow(int shard) throws SQLException {
    try (Connection connection = proxy.shard(shard)) {
      return queryInt(connection, "select min(id) from t");
    }
  }

  private static int queryInt(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).isTrue();
      return row.getInt(1);
    }
  }

  private static void update(Connection connection, int id) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate("update t set n = n + 1 where id = " + id)).isEqualTo(1);
    }
  }

  private static Connection transaction() throws SQLException {
    Connection connection = proxy.connect();
    connection.setAutoCommit(false);
    return connection;
  }

  private static long reserveUses() {
    return proxy.sum(0, ShardCounter.RESERVE_USES) + proxy.sum(1, ShardCounter.RESERVE_USES);
  }

  @Test
  void bothOfACircleOfTwoCommit() throws Exception {
    long before = reserveUses();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (Connection one = transaction();
        Connection other = transaction()) {
      int first = queryInt(one, "select n from t where id = " + onFirst);
      update(one, onFirst);
      // Each reads what the other wrote: connections are waited for, no locks.
      update(other, onSecond);
      Future<Boolean> ofOne = threads.submit(finish(one, onSecond));
      Future<Boolean> ofOther = threads.submit(finish(other, onFirst));
      assertThat(Await.result(ofOne)).isTrue();
      assertThat(Await.result(ofOther)).isTrue();
      assertThat(reserveUses()).isGreaterThan(before);
      assertThat(queryInt(one, "select n from t where id = " + onFirst)).isEqualTo(first + 1);
      one.commit();
    } finally {
      threads.shutdownNow();
    }
    noMoreThanOneConnectionStays();
  }

  private static Callable<Boolean> finish(Connection connection, int id) {
    return () -> {
      queryInt(connection, "select n from t where id = " + id);
      connection.commit();
      return true;
    };
  }

  /** The reserve is for the moment only. */
  private static void noMoreThanOneConnectionStays() throws Exception {
    for (int shard = 0; shard < 2; shard++) {
      try (Connection direct = proxy.shard(shard)) {
        Await.until(
            "one server connection is left",
            () ->
                queryInt(
                        direct,
                        "select count(*) from pg_stat_activity where datname = current_database()"
                            + " and application_name in ('shardmark', '') and backend_type = 'client backend'")
                    <= 1);
      }
    }
  }

  @Test
  void manyTransactionsInBothOrdersAllCommit() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int client = 0; client < 8; client++) {
        boolean forwards = client % 2 == 0;
        all.add(threads.submit(() -> transactions(forwards)));
      }
      for (Future<Boolean> one : all) {
        assertThat(Await.result(one)).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
    noMoreThanOneConnectionStays();
  }

  private static boolean transactions(boolean forwards) throws SQLException {
    try (Connection connection = transaction()) {
      for (int i = 0; i < 5; i++) {
        queryInt(connection, "select n from t where id = " + (forwards ? onFirst : onSecond));
        queryInt(connection, "select n from t where id = " + (forwards ? onSecond : onFirst));
        connection.commit();
      }
      return true;
    }
  }

  @Test
  void scatteredReadsNeverWaitInACircle() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Connection> clients = new ArrayList<>();
    try {
      // What drivers ask first is for one shard, any: who wants both may wait for that long.
      for (int client = 0; client < 8; client++) {
        clients.add(proxy.connect());
      }
      long before = reserveUses();
      List<Future<Boolean>> all = new ArrayList<>();
      for (Connection client : clients) {
        all.add(threads.submit(() -> countsAll(client)));
      }
      for (Future<Boolean> one : all) {
        assertThat(Await.result(one)).isTrue();
      }
      assertThat(reserveUses()).isEqualTo(before);
    } finally {
      threads.shutdownNow();
      for (Connection client : clients) {
        client.close();
      }
    }
  }

  private static boolean countsAll(Connection client) throws SQLException {
    for (int i = 0; i < 20; i++) {
      assertThat(queryInt(client, "select count(*) from t")).isEqualTo(50);
    }
    return true;
  }

  /** In a pause the others wait, though a connection is free. */
  @Test
  void inAPauseWhoHasBegunTakesWhatIsFree() throws Exception {
    long before = reserveUses();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    LoopPools pools = proxy.server().loops().get(0).pools();
    try (Connection one = transaction();
        Connection other = transaction()) {
      queryInt(one, "select n from t where id = " + onFirst);
      queryInt(other, "select n from t where id = " + onSecond);
      other.commit();
      onLoop(pools::pause);
      Future<Boolean> begins = threads.submit(finish(other, onSecond));
      Await.until("it waits", () -> waitingOnSecond() == 1);
      queryInt(one, "select n from t where id = " + onSecond);
      one.commit();
      assertThat(waitingOnSecond()).as("still paused").isEqualTo(1);
      onLoop(pools::resume);
      assertThat(Await.result(begins)).isTrue();
    } finally {
      onLoop(pools::resume);
      threads.shutdownNow();
    }
    assertThat(reserveUses()).as("what was free was enough").isEqualTo(before);
  }

  /** As a pause is over, those who wait look again: any shard can answer, but one will do. */
  @Test
  void whoLooksAgainWaitsForOneConnectionOnly() throws Exception {
    SessionContext loop = proxy.server().loops().get(0);
    try (Connection one = transaction();
        Connection other = transaction();
        WireClient either = proxy.login()) {
      queryInt(one, "select n from t where id = " + onFirst);
      queryInt(other, "select n from t where id = " + onSecond);
      either.sendQuery("select 7");
      Await.until("it waits", () -> count(ShardPool::waitingCount) == 1);
      onLoop(() -> List.copyOf(loop.sessions()).forEach(Session::resumed));
      assertThat(count(ShardPool::waitingCount)).isEqualTo(1);
      one.commit();
      other.commit();
      assertThat(either.answer()).isEqualTo("7");
      assertThat(count(ShardPool::waitingCount)).isZero();
      allAreFree();
    }
  }

  /** The statement over both is done long before the pipeline is, which ends on one of them. */
  @Test
  void aPipelineGivesBackWhatItHadOnAllShards() throws Exception {
    try (WireClient client = proxy.login()) {
      for (int id : List.of(onFirst, onSecond)) {
        client.send(
            out -> {
              SettingsTest.execute(out, "select count(*) from t");
              SettingsTest.execute(out, "select n from t where id = " + id);
              FrontendMessages.sync(out);
            });
        assertThat(WireClient.errors(client.untilReady())).isEmpty();
        allAreFree();
      }
    }
  }

  /** Though the client is told at once that it is over. */
  @Test
  void aPipelineThatLosesItsLastServerGivesBackTheOthers() throws Exception {
    try (WireClient client = proxy.login()) {
      client.send(
          out -> {
            SettingsTest.execute(out, "select count(*) from t");
            SettingsTest.execute(
                out, "select pg_terminate_backend(pg_backend_pid()) from t where id = " + onSecond);
            FrontendMessages.sync(out);
          });
      assertThat(WireClient.errors(client.untilReady())).hasSize(1);
      allAreFree();
    }
  }

  private static void allAreFree() throws Exception {
    Await.until("all are free", () -> count(ShardPool::openCount) == count(ShardPool::idleCount));
  }

  private static int count(ToIntFunction<ShardPool> what) throws Exception {
    SessionContext loop = proxy.server().loops().get(0);
    return loop.loop()
        .submit(() -> loop.pools().of("postgres").stream().mapToInt(what).sum())
        .get();
  }

  private static void onLoop(Runnable work) throws Exception {
    proxy.server().loops().get(0).loop().submit(work).get();
  }

  private static int waitingOnSecond() throws Exception {
    SessionContext loop = proxy.server().loops().get(0);
    return loop.loop().submit(() -> loop.pools().of("postgres").get(1).waitingCount()).get();
  }
}
