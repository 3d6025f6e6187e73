package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** What an administrator sees of a running proxy is what goes on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AdminDatabaseTest {
  private final Trap trap = new Trap();
  private Cluster cluster;
  private ProxyProcess proxy;
  private Connection admin;
  private int here;
  private int there;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    cluster = new Cluster(trap);
    here = cluster.accounts(0).get(0);
    there = cluster.accounts(1).get(0);
    proxy =
        ProxyProcess.start(
            directory,
            cluster.proxyConfig() + "admin_users: [bench]\npool_size: 2\ndeadlock_interval: 0\n");
    admin = connect("shardmark?preferQueryMode=simple");
  }

  @AfterAll
  void end() throws SQLException {
    admin.close();
    proxy.close();
    cluster.close();
  }

  private Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/" + database, "bench", "bench");
  }

  private static void execute(Connection connection, String... sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String one : sql) {
        statement.execute(one);
      }
    }
  }

  /** Whether it succeeds. */
  private static CompletableFuture<Boolean> later(Connection connection, String sql) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            execute(connection, sql);
            return true;
          } catch (SQLException e) {
            return false;
          }
        });
  }

  /** Each row by column. */
  private List<Map<String, String>> show(String what) throws SQLException {
    List<Map<String, String>> all = new ArrayList<>();
    try (Statement statement = admin.createStatement();
        ResultSet rows = statement.executeQuery("SHOW " + what)) {
      ResultSetMetaData columns = rows.getMetaData();
      while (rows.next()) {
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          row.put(columns.getColumnLabel(i), rows.getString(i));
        }
        all.add(row);
      }
    }
    return all;
  }

  /** The only row that is so, once there is one. */
  private Map<String, String> awaitRow(String what, Predicate<Map<String, String>> wanted) {
    List<Map<String, String>> rows =
        Await.value(what, () -> show(what), now -> now.stream().anyMatch(wanted));
    List<Map<String, String>> found = rows.stream().filter(wanted).toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private static String id(Connection client) throws SQLException {
    return Integer.toString(client.unwrap(PGConnection.class).getBackendPID());
  }

  private static String update(int id) {
    return "UPDATE account SET balance = balance + 1 WHERE id = " + id;
  }

  @Test
  void clientsAreShownWithWhatTheyHold() throws Exception {
    try (Connection client = connect("bench?ApplicationName=it's me")) {
      String id = id(client);
      Map<String, String> idle = awaitRow("CLIENTS", row -> id.equals(row.get("id")));
      assertThat(idle)
          .containsEntry("user", "bench")
          .containsEntry("database", "bench")
          .containsEntry("application_name", "it's me")
          .containsEntry("state", "idle")
          .containsEntry("shards", "");
      assertThat(idle.get("address")).contains("127.0.0.1:");
      execute(client, "BEGIN", update(here), update(there));
      assertThat(awaitRow("CLIENTS", row -> id.equals(row.get("id"))))
          .containsEntry("state", "idle in transaction")
          .containsEntry("shards", "s0 s1");
      execute(client, "SET application_name = other");
      assertThat(awaitRow("CLIENTS", row -> id.equals(row.get("id"))))
          .containsEntry("application_name", "other");
      execute(client, "ROLLBACK");
    }
  }

  @Test
  void serversAreShownWithTheirClients() throws Exception {
    try (Connection client = connect("bench")) {
      execute(client, "BEGIN", update(here));
      String process;
      try (Statement statement = client.createStatement();
          ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
        assertThat(row.next()).isTrue();
        process = row.getString(1);
      }
      String id = id(client);
      assertThat(awaitRow("SERVERS", row -> id.equals(row.get("client"))))
          .containsEntry("shard", "s0")
          .containsEntry("server_process", process)
          .containsEntry("user", "bench")
          .containsEntry("state", "held");
      execute(client, "COMMIT");
      assertThat(awaitRow("SERVERS", row -> process.equals(row.get("server_process"))))
          .containsEntry("state", "idle")
          .containsEntry("client", null);
    }
  }

  @Test
  void poolsAddUpAllUsers() throws Exception {
    try (Connection client = connect("bench")) {
      execute(client, "BEGIN", update(here));
      assertThat(awaitRow("POOLS", row -> row.get("shard").equals("s0")))
          .containsEntry("pool_size", "2")
          .containsEntry("servers_active", "1")
          .containsEntry("clients_waiting", "0");
      try (Connection other = connect("bench");
          Connection third = connect("bench")) {
        execute(other, "BEGIN", update(cluster.accounts(0).get(1)));
        CompletableFuture<Boolean> late = later(third, update(cluster.accounts(0).get(2)));
        assertThat(awaitRow("POOLS", row -> "1".equals(row.get("clients_waiting"))))
            .containsEntry("shard", "s0")
            .containsEntry("servers_active", "2")
            .containsEntry("servers_idle", "0");
        String waiting = id(third);
        assertThat(awaitRow("CLIENTS", row -> waiting.equals(row.get("id"))))
            .containsEntry("state", "waiting");
        execute(client, "ROLLBACK");
        assertThat(late.join()).isTrue();
        execute(other, "ROLLBACK");
      }
    }
    assertThat(
            awaitRow(
                "POOLS",
                row -> row.get("shard").equals("s0") && "0".equals(row.get("servers_active"))))
        .containsEntry("servers_idle", "2");
    awaitRow(
        "STATS", row -> row.get("name").equals("clients_active") && "0".equals(row.get("value")));
  }

  @Test
  void transactionsAreShownFromTheirSecondShardToTheirEnd() throws Exception {
    try (Connection client = connect("bench?preferQueryMode=simple")) {
      String id = id(client);
      execute(client, "BEGIN", update(here));
      assertThat(show("TRANSACTIONS")).isEmpty();
      execute(client, update(there));
      assertThat(awaitRow("TRANSACTIONS", row -> true))
          .containsEntry("client", id)
          .containsEntry("gid", "")
          .containsEntry("shards", "s0 s1")
          .containsEntry("state", "open");
      CompletableFuture<Map<String, String>> seen = new CompletableFuture<>();
      CompletableFuture<Trap.Catch> caught =
          trap.arm(
              CommitPoint.DECISION_UNDELIVERED,
              held -> {
                seen.complete(awaitRow("TRANSACTIONS", row -> id.equals(row.get("client"))));
                return Trap.Verdict.PASS;
              });
      execute(client, "COMMIT");
      Trap.await(caught);
      assertThat(seen.get()).containsEntry("state", "deciding").containsEntry("shards", "s0 s1");
      assertThat(seen.get().get("gid")).startsWith("shardmark:s1:");
      assertThat(show("TRANSACTIONS")).isEmpty();
    }
  }

  @Test
  void commitWhoseShardCannotBeReachedIsShownWaitingForRecovery() throws Exception {
    try (Connection client = connect("bench?preferQueryMode=simple")) {
      String id = id(client);
      execute(client, "BEGIN", update(here), update(there));
      CompletableFuture<Trap.Catch> caught =
          trap.arm(
              CommitPoint.COMMIT_PREPARED_UNDELIVERED,
              held -> {
                cluster.link(0).cut();
                return Trap.Verdict.DROP;
              });
      CompletableFuture<Boolean> committed = later(client, "COMMIT");
      Trap.await(caught);
      assertThat(
              awaitRow(
                  "TRANSACTIONS",
                  row -> id.equals(row.get("client")) && !"committing".equals(row.get("state"))))
          .containsEntry("state", "waiting for recovery")
          .containsEntry("shards", "s0 s1");
      cluster.link(0).restore();
      assertThat(committed.join()).isTrue();
      assertThat(show("TRANSACTIONS")).isEmpty();
      Await.until("the shard is used again", () -> later(client, update(here)).join());
    }
  }

  @Test
  void whatNobodyIsAtIsShownByWhatRecoverySaysOfIt() throws Exception {
    String gid = "shardmark:elsewhere:0123456789abcdef:7";
    cluster.execute(
        0, "BEGIN; CREATE TABLE left_over (a int); PREPARE TRANSACTION '" + gid + ":s0'");
    assertThat(awaitRow("TRANSACTIONS", row -> "in doubt".equals(row.get("state"))))
        .containsEntry("client", null)
        .containsEntry("gid", gid)
        .containsEntry("shards", "s0")
        .containsEntry("detail", "no shard is called elsewhere, which decides");
    cluster.execute(0, "ROLLBACK PREPARED '" + gid + ":s0'");
    assertThat(show("TRANSACTIONS")).isEmpty();
  }

  @Test
  void locksAreShownWithTheClientsOnBothSides() throws Exception {
    try (Connection holder = connect("bench");
        Connection waiter = connect("bench")) {
      execute(holder, "BEGIN", update(here));
      CompletableFuture<Boolean> waits = later(waiter, update(here));
      Map<String, String> lock = awaitRow("LOCKS", row -> true);
      assertThat(lock)
          .containsEntry("shard", "s0")
          .containsEntry("waiting_client", id(waiter))
          .containsEntry("holding_client", id(holder))
          .containsEntry("prepared", "");
      assertThat(Objects.requireNonNull(lock.get("lock"))).matches("ShareLock on transaction \\d+");
      assertThat(Objects.requireNonNull(lock.get("statement"))).startsWith("UPDATE account");
      execute(holder, "COMMIT");
      assertThat(waits.join()).isTrue();
      assertThat(show("LOCKS")).isEmpty();
    }
  }
}
