package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.pool.ShardPool;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Crowds, session pooling, and what becomes of server connections in the course of time. */
final class PoolLifeTest {
  private static final String TOO_MANY = "53300";
  private static final String PATIENT = "pool_wait_timeout: 1min";

  /** For as long as somebody is to be refused: a busy machine may take longer for a connection. */
  private static final String IMPATIENT = "pool_wait_timeout: 300ms";

  private static final String PID = "select pg_backend_pid()";

  private final List<WireClient> clients = new ArrayList<>();

  @AfterEach
  void leave() throws IOException {
    for (WireClient client : clients) {
      client.close();
    }
  }

  private WireClient client(RunningProxy proxy) throws IOException {
    WireClient client = proxy.login();
    clients.add(client);
    return client;
  }

  private List<WireClient> clients(RunningProxy proxy, int count) throws IOException {
    List<WireClient> some = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      some.add(client(proxy));
    }
    return some;
  }

  private static int ask(RunningProxy proxy, ToIntFunction<ShardPool> question) throws Exception {
    var loop = proxy.server().loops().get(0);
    return loop.loop().submit(() -> question.applyAsInt(loop.pools().of("postgres").get(0))).get();
  }

  @Test
  void whoIsLetInFirstLeavesTheConnectionToOthers() throws Exception {
    try (RunningProxy proxy = RunningProxy.start(1, "pool_size: 1", PATIENT)) {
      client(proxy);
      assertThat(ask(proxy, ShardPool::openCount)).isEqualTo(1);
      Await.until("it is free", () -> ask(proxy, ShardPool::idleCount) == 1);
      assertThat(client(proxy).query("select 1")).isEqualTo("1");
    }
  }

  @Test
  void aCrowdIsServedByFewConnections() throws Exception {
    try (RunningProxy proxy = RunningProxy.start(1, "pool_size: 5", "pool_wait_timeout: 1min")) {
      List<WireClient> crowd = clients(proxy, 500);
      for (int round = 0; round < 3; round++) {
        crowd.forEach(each -> each.sendQuery("select 5 from pg_sleep(0.005)"));
        for (WireClient each : crowd) {
          assertThat(each.answer()).isEqualTo("5");
        }
        assertThat(ask(proxy, ShardPool::openCount)).isLessThanOrEqualTo(5);
      }
      assertThat(proxy.sum(0, ShardCounter.POOL_TIMEOUTS)).isZero();
      assertThat(proxy.sum(0, ShardCounter.SERVER_LOGINS)).isLessThanOrEqualTo(5);
    }
  }

  @Test
  void aCrowdThatWaitsTooLongIsRefusedAndServedAfterwards() throws Exception {
    try (RunningProxy proxy = RunningProxy.start(1, "pool_size: 5", PATIENT)) {
      List<WireClient> holders = clients(proxy, 5);
      for (WireClient holder : holders) {
        holder.query("begin");
        assertThat(holder.query("select 1")).isEqualTo("1");
      }
      List<WireClient> crowd = clients(proxy, 495);
      proxy.reload("pool_size: 5", IMPATIENT);
      crowd.forEach(each -> each.sendQuery("select 5"));
      for (WireClient each : crowd) {
        assertThat(each.answer()).isEqualTo(TOO_MANY);
      }
      proxy.reload("pool_size: 5", PATIENT);
      for (WireClient holder : holders) {
        assertThat(holder.query("commit")).isEmpty();
      }
      for (WireClient each : crowd) {
        assertThat(each.query("select 6")).isEqualTo("6");
      }
      assertThat(ask(proxy, ShardPool::waitingCount)).isZero();
    }
  }

  @Test
  void sessionPoolingKeepsTheConnectionUntilTheClientLeaves() throws Exception {
    String session = "pool_mode: session";
    try (RunningProxy proxy = RunningProxy.start(1, session, "pool_size: 2", PATIENT)) {
      List<WireClient> two = clients(proxy, 2);
      String first = two.get(0).query(PID);
      String second = two.get(1).query(PID);
      assertThat(first).isNotEqualTo(second);
      two.get(0).query("set work_mem = '3MB'");
      for (int i = 0; i < 3; i++) {
        assertThat(two.get(0).query(PID)).isEqualTo(first);
        assertThat(two.get(1).query(PID)).isEqualTo(second);
      }
      proxy.reload(session, "pool_size: 2", IMPATIENT);
      assertThatThrownBy(proxy::connect)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(TOO_MANY));
      proxy.reload(session, "pool_size: 2", PATIENT);
      two.get(0).close();
      Await.until("its connection is free", () -> ask(proxy, ShardPool::idleCount) == 1);
      WireClient third = client(proxy);
      assertThat(third.query(PID)).isEqualTo(first);
      assertThat(third.query("show work_mem")).isNotEqualTo("3MB");
    }
  }

  @Test
  void sessionPoolingOverOneShardGivesTheProcessNumberOfTheServer() throws Exception {
    try (RunningProxy proxy = RunningProxy.start(1, "pool_mode: session", PATIENT);
        Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      String given = "" + connection.unwrap(PGConnection.class).getBackendPID();
      assertThat(client(proxy).query(PID)).isNotEqualTo(given);
      try (ResultSet row = statement.executeQuery(PID)) {
        assertThat(row.next()).isTrue();
        assertThat(row.getString(1)).isEqualTo(given);
      }
      statement.setQueryTimeout(1); // then the driver sends a CancelRequest with that number
      assertThatThrownBy(() -> statement.execute("select pg_sleep(600)"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
    }
  }

  @Test
  void aConnectionWithWhatCannotFollowTheClientIsNeverUsedAgain() throws Exception {
    try (RunningProxy proxy = RunningProxy.start(1, "pool_size: 3")) {
      for (String effect :
          List.of("select pg_advisory_lock(42)", "create temp table only_mine as select 1 as x")) {
        WireClient client = client(proxy);
        assertThat(client.query(effect)).as(effect).isNotEqualTo("0A000");
        String pid = client.query(PID);
        WireClient other = client(proxy);
        assertThat(other.query(PID)).as(effect).isNotEqualTo(pid);
        assertThat(client.query(PID)).as(effect).isEqualTo(pid);
        client.close();
        Await.until(
            "the server process ends",
            () ->
                proxy
                    .onShard(0, "select count(*) from pg_stat_activity where pid = " + pid)
                    .equals("0"));
        assertThat(other.query("select pg_try_advisory_lock(42)")).isEqualTo("t");
        assertThat(other.query("select x from only_mine")).isEqualTo("42P01");
        other.close();
        Await.until("nothing is locked", () -> proxy.onShard(0, ADVISORY_LOCKS).equals("0"));
      }
    }
  }

  private static final String ADVISORY_LOCKS =
      "select count(*) from pg_locks where locktype = 'advisory'";

  @Test
  void notificationsReachWhoListens() throws Exception {
    try (RunningProxy proxy = RunningProxy.start(1, "pool_size: 3")) {
      WireClient listener = client(proxy);
      assertThat(listener.query("listen news")).isEmpty();
      assertThat(client(proxy).query("notify news, 'hello'")).isEmpty();
      WireClient.Message message = listener.next().orElseThrow();
      assertThat(message.type()).isEqualTo('A');
      assertThat(message.content().toString()).contains("news").contains("hello");
    }
  }

  @Test
  void unusedConnectionsAreClosedAndNewOnesOpened() throws Exception {
    try (RunningProxy proxy = RunningProxy.start(1, "pool_size: 3", "server_idle_timeout: 1s")) {
      WireClient client = client(proxy);
      String pid = client.query(PID);
      Await.until("none is open", () -> ask(proxy, ShardPool::openCount) == 0);
      assertThat(client.query(PID)).isNotEmpty().isNotEqualTo(pid);
    }
  }

  @Test
  void oldConnectionsAreReplacedBetweenTransactions() throws Exception {
    try (RunningProxy proxy = RunningProxy.start(1, "pool_size: 2", "server_lifetime: 1s")) {
      WireClient client = client(proxy);
      client.query("begin");
      String pid = client.query(PID);
      WireClient other = client(proxy);
      other.query(PID);
      Await.until("a younger one is too old", () -> ask(proxy, ShardPool::openCount) == 1);
      assertThat(client.query(PID)).isEqualTo(pid);
      client.query("commit");
      assertThat(other.query(PID)).isNotEmpty().isNotEqualTo(pid);
    }
  }

  @Test
  void aConnectionLostWhileUnusedIsNotHandedOut() throws Exception {
    try (RunningProxy proxy = RunningProxy.start(1, "pool_size: 3")) {
      WireClient client = client(proxy);
      String pid = client.query(PID);
      proxy.onShard(0, "select pg_terminate_backend(" + pid + ")");
      Await.until("it is gone", () -> ask(proxy, ShardPool::openCount) == 0);
      assertThat(client.query(PID)).isNotEmpty().isNotEqualTo(pid);
    }
  }
}
