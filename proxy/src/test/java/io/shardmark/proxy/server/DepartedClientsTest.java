package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.Await;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.pool.ShardPool;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.session.SessionContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients that go in the middle of something, with one server connection for each shard: what they
 * left must not be seen by the next, nor hold anything.
 */
final class DepartedClientsTest {
  @AutoClose private static RunningProxy proxy;
  private static int onFirst;
  private static int onSecond;

  private WireClient leaver;

  /** How a client can go. */
  enum Farewell {
    /** FIN without a Terminate. */
    END_OF_STREAM,
    /** As a crashed machine's kernel answers. */
    RESET
  }

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "pool_size: 1", "pool_wait_timeout: 1min");
    proxy.makeOnShards(
        "create table t (id int, n int) partition by hash (id);"
            + "create table t_part partition of t for values with (modulus 2, remainder $shard);"
            + "insert into t select id, 0 from generate_series(1, 50) id where"
            + " satisfies_hash_partition('t'::regclass, 2, $shard, id);"
            + "create table everywhere (id int);"
            + "create function waits() returns trigger language plpgsql as"
            + " 'begin perform pg_advisory_xact_lock_shared(1); return new; end';"
            + "create constraint trigger waits after update on t_part deferrable initially deferred"
            + " for each row execute function waits()");
    onFirst = Integer.parseInt(proxy.onShard(0, "select min(id) from t"));
    onSecond = Integer.parseInt(proxy.onShard(1, "select min(id) from t"));
  }

  @BeforeEach
  void connect() throws IOException {
    leaver = proxy.login();
  }

  private void leave(Farewell how) throws IOException {
    switch (how) {
      case END_OF_STREAM -> leaver.close();
      case RESET -> leaver.reset();
    }
  }

  /** The next client has the shards to itself, and nothing is changed. */
  @AfterEach
  void nothingIsLeft() throws Exception {
    try (WireClient next = proxy.login()) {
      next.query("begin");
      for (int id : List.of(onFirst, onSecond)) {
        assertThat(next.query("select n from t where id = " + id + " for update")).isEqualTo("0");
      }
      assertThat(next.query("commit")).isEmpty();
      assertThat(next.query("select count(*) from t")).isEqualTo("50");
      assertThat(next.query("select count(*) from everywhere")).isEqualTo("0");
    }
    for (int shard = 0; shard < 2; shard++) {
      int index = shard;
      Await.until(
          "no server process does anything on shard " + shard,
          () ->
              proxy
                  .onShard(
                      index,
                      "select count(*) from pg_stat_activity where datname = current_database()"
                          + " and application_name in ('shardmark', '') and backend_type = 'client backend' and state <> 'idle'")
                  .equals("0"));
      Await.until("no server connection is in use", () -> inUse(index) == 0);
    }
  }

  private static int inUse(int shard) throws Exception {
    SessionContext loop = proxy.server().loops().get(0);
    return loop.loop()
        .submit(
            () -> {
              ShardPool pool = loop.pools().of("postgres").get(shard);
              return pool.openCount() - pool.idleCount();
            })
        .get();
  }

  @ParameterizedTest
  @EnumSource
  void inATransactionOverTwoShards(Farewell how) throws IOException {
    leaver.query("begin");
    leaver.query("update t set n = 1 where id = " + onFirst);
    leaver.query("update t set n = 1 where id = " + onSecond);
    leave(how);
  }

  @ParameterizedTest
  @EnumSource
  void inAFailedTransaction(Farewell how) throws IOException {
    leaver.query("begin");
    leaver.query("update t set n = 1 where id = " + onFirst);
    assertThat(leaver.query("select 1/0 from t where id = " + onFirst)).isEqualTo("22012");
    leave(how);
  }

  @ParameterizedTest
  @EnumSource
  void whileItsStatementRuns(Farewell how) throws Exception {
    leaver.sendQuery("select pg_sleep(600) from t where id = " + onFirst);
    Await.until("it runs", () -> doing("wait_event = 'PgSleep'", "pg_sleep"));
    leave(how);
  }

  @ParameterizedTest
  @EnumSource
  void whileItWaitsForALock(Farewell how) throws Exception {
    try (Connection holder = proxy.shard(0);
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("update t set n = 7 where id = " + onFirst);
      leaver.sendQuery("update t set n = 1 where id = " + onFirst);
      Await.until("it waits", () -> waits("update t set n = 1"));
      leave(how);
      Await.until("it waits no more", () -> !doing("state = 'active'", "update t set n = 1"));
      holder.rollback();
    }
  }

  private static boolean waits(String text) throws SQLException {
    return doing("wait_event_type = 'Lock'", text);
  }

  private static boolean doing(String what, String text) throws SQLException {
    return !proxy
        .onShard(
            0,
            "select count(*) from pg_stat_activity where datname = current_database() and "
                + what
                + " and pid <> pg_backend_pid() and query like '%"
                + text
                + "%'")
        .equals("0");
  }

  @ParameterizedTest
  @EnumSource
  void inTheMiddleOfAResult(Farewell how) throws Exception {
    leaver.sendQuery(
        "select repeat('x', 1000) from t, generate_series(1, 10000000) where id = " + onFirst);
    for (int message = 0; message < 10; message++) {
      assertThat(leaver.next()).isPresent();
    }
    leave(how);
  }

  @ParameterizedTest
  @EnumSource
  void inTheMiddleOfAMergedResult(Farewell how) throws Exception {
    leaver.sendQuery("select repeat('x', 1000), g from t, generate_series(1, 200000) g");
    for (int message = 0; message < 10; message++) {
      assertThat(leaver.next()).isPresent();
    }
    leave(how);
  }

  @ParameterizedTest
  @EnumSource
  void inTheMiddleOfACopy(Farewell how) throws IOException {
    leaver.sendQuery("copy t from stdin");
    assertThat(WireClient.types(leaver.until('G'))).isEqualTo("G");
    leaver.send(out -> copyData(out, "1001\t5\n1002\t5\n1003\t5\n"));
    leave(how);
  }

  @ParameterizedTest
  @EnumSource
  void inTheMiddleOfACopyRow(Farewell how) throws IOException {
    leaver.sendQuery("copy everywhere from stdin");
    assertThat(WireClient.types(leaver.until('G'))).isEqualTo("G");
    leaver.send(out -> copyData(out, "1001\n"));
    leaver.sendBytes(new byte[] {'d', 0, 0, 0, 100, '5'});
    leave(how);
  }

  private static void copyData(ByteBuf out, String rows) {
    FrontendMessages.copyDataHeader(out, rows.length());
    out.writeCharSequence(rows, StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @EnumSource
  void inTheMiddleOfAPipeline(Farewell how) throws IOException {
    leaver.send(
        out -> {
          FrontendMessages.parse(out, "", "update t set n = 1 where id = " + onFirst);
          FrontendMessages.bind(out, "", "");
          FrontendMessages.execute(out, "", 0);
          FrontendMessages.parse(out, "", "update t set n = 1 where id = " + onSecond);
          FrontendMessages.bind(out, "", "");
          FrontendMessages.execute(out, "", 0);
          FrontendMessages.flush(out);
        });
    assertThat(WireClient.types(leaver.until('C'))).isEqualTo("12C");
    leave(how);
  }

  /** It goes on to its end on all shards, and gives back what it held. */
  @ParameterizedTest
  @EnumSource
  void inTheMiddleOfACommit(Farewell how) throws Exception {
    try (Connection holder = proxy.shard(0);
        Statement statement = holder.createStatement()) {
      statement.execute("select pg_advisory_lock(1)");
      leaver.query("begin");
      leaver.query("update t set n = 1 where id = " + onFirst);
      leaver.query("update t set n = 1 where id = " + onSecond);
      leaver.sendQuery("commit");
      Await.until(
          "the first shard prepares, or decides",
          () -> waits("PREPARE TRANSACTION") || waits("INSERT INTO shardmark.decision"));
      leave(how);
      Await.until("the proxy knows that it is gone", () -> proxy.server().clientCount() == 0);
    }
    for (int shard = 0; shard < 2; shard++) {
      int index = shard;
      Await.until("its connections are free", () -> inUse(index) == 0);
      assertThat(proxy.onShard(shard, "select sum(n) from t")).isEqualTo("1");
    }
    proxy.onShards("update t set n = 0");
  }

  @ParameterizedTest
  @EnumSource
  void whileItWaitsForAConnection(Farewell how) throws Exception {
    try (WireClient holder = proxy.login()) {
      holder.query("begin");
      holder.query("select n from t where id = " + onFirst);
      leaver.query("begin");
      leaver.query("update t set n = 1 where id = " + onSecond);
      leaver.sendQuery("update t set n = 1 where id = " + onFirst);
      Await.until("it waits", () -> proxy.sum(0, ShardCounter.CLIENTS_WAITING) == 1);
      leave(how);
      holder.query("commit");
    }
  }

  @Test
  void withALongMessageHalfSent() throws IOException {
    leaver.send(
        out ->
            out.writeByte('Q')
                .writeInt(10_000_000)
                .writeCharSequence("select '" + "x".repeat(100_000), StandardCharsets.US_ASCII));
    leaver.reset();
  }
}
