package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links that swallow everything and stay open, where no two-phase commit is under way. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SilentLinkTest {
  private static final String WAITING = "select 1 from pg_locks where not granted";
  private Cluster cluster;
  private ProxyProcess proxy;
  private int here;
  private int there;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    cluster = new Cluster(new Trap());
    here = cluster.accounts(0).get(0);
    there = cluster.accounts(1).get(0);
    proxy =
        ProxyProcess.start(
            directory,
            cluster.proxyConfig()
                + "commit_timeout: 1s\npool_size: 1\npool_wait_timeout: 30s\nmetrics: off\n");
  }

  @AfterEach
  void flow() {
    cluster.link(0).flow();
    cluster.link(1).flow();
    cluster.link(0).swallowCancels(false);
  }

  @AfterAll
  void end() {
    proxy.close();
    cluster.close();
  }

  private Connection connect(String mode) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:%d/bench?preferQueryMode=%s&socketTimeout=60"
            .formatted(proxy.port(), mode),
        "bench",
        "bench");
  }

  private static String state(Statement statement, String sql) {
    try {
      statement.execute(sql);
      return "";
    } catch (SQLException e) {
      return String.valueOf(e.getSQLState());
    }
  }

  private static int server(Statement statement, int account) throws SQLException {
    try (ResultSet row =
        statement.executeQuery("select pg_backend_pid() from account where id = " + account)) {
      row.next();
      return row.getInt(1);
    }
  }

  private static String balance(int account) {
    return "select balance from account where id = " + account;
  }

  private static String outcome(Statement statement, String transaction) throws SQLException {
    return value(statement, "select shardmark.outcome('" + transaction + "')");
  }

  private static String value(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private static String update(int account) {
    return "update account set balance = balance where id = " + account;
  }

  private void await(String what, Callable<Boolean> isSo) {
    Await.until(what, proxy::logTail, isSo);
  }

  /** The same client goes on, with another server connection: there is one at most at a time. */
  private void assertGoesOn(Statement statement, int before) throws Exception {
    cluster.link(0).flow();
    await("the shard is used again", () -> state(statement, update(here)).isEmpty());
    assertThat(server(statement, here)).isNotEqualTo(before);
    assertThat(cluster.prepared()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void commitOfOneShardIsUnknown(String mode) throws Exception {
    try (Connection client = connect(mode);
        Statement statement = client.createStatement()) {
      int balance = Integer.parseInt(value(statement, balance(here)));
      statement.execute("begin");
      statement.execute("update account set balance = balance + 1 where id = " + here);
      String transaction = value(statement, "show shardmark.transaction");
      int before = server(statement, here);
      assertThat(outcome(statement, transaction)).isEqualTo("in progress");
      cluster.link(0).stall();
      assertThat(state(statement, "commit")).isEqualTo("08007");
      assertThat(proxy.logText()).contains("the end of a transaction within commit_timeout");
      assertGoesOn(statement, before);
      await("the server notices", () -> !outcome(statement, transaction).equals("in progress"));
      int added = outcome(statement, transaction).equals("committed") ? 1 : 0;
      assertThat(value(statement, balance(here))).isEqualTo(String.valueOf(balance + added));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void rollbackOfOneShardIsAnError(String mode) throws Exception {
    try (Connection client = connect(mode);
        Statement statement = client.createStatement()) {
      statement.execute("begin");
      statement.execute(update(here));
      int before = server(statement, here);
      cluster.link(0).stall();
      assertThat(state(statement, "rollback")).isEqualTo("08006");
      assertGoesOn(statement, before);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void rollbackOfTwoShardsDoesNotWait(String mode) throws Exception {
    try (Connection client = connect(mode);
        Statement statement = client.createStatement()) {
      statement.execute("begin");
      statement.execute(update(here));
      statement.execute(update(there));
      int before = server(statement, here);
      cluster.link(0).stall();
      // What the server has not heard of ends with its connection.
      assertThat(state(statement, "rollback")).isEmpty();
      assertGoesOn(statement, before);
    }
  }

  @Test
  void aCancelThatIsSwallowedHoldsItsConnectionForAWhileOnly() throws Exception {
    try (Connection client = connect("simple");
        Statement statement = client.createStatement();
        Connection other = connect("simple");
        Statement next = other.createStatement()) {
      int before = server(statement, here);
      cluster.link(0).swallowCancels(true);
      CompletableFuture<String> late;
      try (Connection holder = cluster.begin(0, update(here))) {
        late = CompletableFuture.supplyAsync(() -> state(statement, update(here)));
        await("it waits", () -> !cluster.query(0, WAITING).isEmpty());
        statement.cancel();
        holder.rollback();
      }
      assertThat(Await.result(late)).as("nothing cancelled it").isEmpty();
      // It is the only connection, and must not be given to others while a cancel may come.
      assertThat(server(next, here)).isNotEqualTo(before);
    }
  }
}
