package io.shardmark.proxy.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.faults.Relay;
import io.shardmark.proxy.protocol.FrontendMessages;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/**
 * A server that fails BEGIN executes nothing of what was sent behind it: that fails with the same
 * error, and all goes on as after any other.
 */
final class FailedBeginTest {
  /** Of a word that a server does not understand. */
  private static final String BROKEN = "42601";

  private static final String FAILED = "25P02";
  private static final String CHANGE_BOTH = "update l set v = v + 1";

  private static final List<String> COMMITTING = List.of(change(1), "commit");

  private static Relay link;
  @AutoClose private static RunningProxy proxy;

  /** Keeps one prepared statement for each server connection. */
  @AutoClose private static RunningProxy forgetful;

  @BeforeAll
  static void start() throws SQLException, IOException {
    link = Relay.to(RunningProxy.serverPort());
    // The proxy's own BEGIN at the gate of snapshots is not to be the one that breaks.
    String fast = "scatter_reads: fast";
    proxy = RunningProxy.startBehind(link, 2, fast);
    forgetful = RunningProxy.startBehind(link, 2, fast, "prepared_statements_per_server: 1");
    for (RunningProxy each : List.of(proxy, forgetful)) {
      each.makeOnShards(
          "create table l (id int, v int, primary key (id)) partition by list (id);"
              + "create table l_$shard partition of l for values in ($shard + 1)");
    }
  }

  @BeforeEach
  void fill() throws SQLException {
    proxy.onShards("truncate l; insert into l values ($shard + 1, 0)");
  }

  @AfterEach
  void broken() {
    assertThat(link.breaksNext()).as("a BEGIN was sent").isFalse();
  }

  private static Connection connect(String mode) throws SQLException {
    return proxy.connect("preferQueryMode=" + mode, "socketTimeout=60");
  }

  private static String state(Statement statement, String sql) {
    try {
      statement.execute(sql);
      return "";
    } catch (SQLException e) {
      return String.valueOf(e.getSQLState());
    }
  }

  private static String change(int id) {
    return "update l set v = v + 1 where id = " + id;
  }

  /** Of the row of each shard, past the proxy. */
  private static List<Integer> values() throws SQLException {
    List<Integer> values = new ArrayList<>();
    for (int shard = 0; shard < 2; shard++) {
      try (Connection connection = proxy.shard(shard);
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("select v from l")) {
        row.next();
        values.add(row.getInt(1));
      }
    }
    return values;
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void onOneShard(String mode) throws SQLException {
    try (Connection client = connect(mode);
        Statement statement = client.createStatement()) {
      statement.execute("begin");
      link.breakNext("BEGIN");
      assertThat(state(statement, change(1))).isEqualTo(BROKEN);
      assertThat(state(statement, change(1))).isEqualTo(FAILED);
      statement.execute("commit");
      assertThat(values()).containsExactly(0, 0);
      statement.execute(change(1));
      assertThat(values()).containsExactly(1, 0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void onTheSecondShard(String mode) throws SQLException {
    try (Connection client = connect(mode);
        Statement statement = client.createStatement()) {
      statement.execute("begin; " + change(1));
      link.breakNext("BEGIN");
      assertThat(state(statement, CHANGE_BOTH)).isEqualTo(BROKEN);
      assertThat(state(statement, change(2))).isEqualTo(FAILED);
      statement.execute("rollback");
      assertThat(values()).containsExactly(0, 0);
      statement.execute("begin; " + CHANGE_BOTH + "; commit");
      assertThat(values()).containsExactly(1, 1);
    }
  }

  /** Before what is prepared behind BEGIN the server is told to forget another one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "simple | select v + %d from l limit 1 for update",
        "extended | update l set v = %d"
      })
  void whereAPreparedStatementGivesWay(String mode, String text) throws SQLException {
    try (Connection client = forgetful.connect("preferQueryMode=" + mode, "socketTimeout=60");
        Statement statement = client.createStatement()) {
      state(statement, text.formatted(1)); // on one shard or both
      state(statement, text.formatted(2));
      statement.execute("begin");
      link.breakNext("BEGIN");
      assertThat(state(statement, text.formatted(3))).isEqualTo(BROKEN);
      assertThat(state(statement, change(1))).isEqualTo(FAILED);
      statement.execute("rollback");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void ofAStatementByItself(String mode) throws SQLException {
    try (Connection client = connect(mode);
        Statement statement = client.createStatement()) {
      link.breakNext("BEGIN");
      assertThat(state(statement, CHANGE_BOTH)).isEqualTo(BROKEN);
      assertThat(values()).containsExactly(0, 0);
      statement.execute(CHANGE_BOTH);
      assertThat(values()).containsExactly(1, 1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void behindASavepoint(String mode) throws SQLException {
    try (Connection client = connect(mode);
        Statement statement = client.createStatement()) {
      statement.execute("begin; " + change(1) + "; savepoint a");
      link.breakNext("BEGIN");
      assertThat(state(statement, change(2))).isEqualTo(BROKEN);
      statement.execute("rollback to a");
      statement.execute(change(2));
      statement.execute("commit");
      assertThat(values()).containsExactly(1, 1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void withSettings(String mode) throws SQLException {
    try (Connection client = connect(mode);
        Statement statement = client.createStatement()) {
      statement.execute("begin; set local work_mem = '5MB'; set timezone = 'Asia/Tokyo'");
      link.breakNext("BEGIN");
      assertThat(state(statement, CHANGE_BOTH)).isEqualTo(BROKEN);
      assertThat(state(statement, CHANGE_BOTH)).isEqualTo(FAILED);
      statement.execute("rollback");
      assertThat(values()).containsExactly(0, 0);
      statement.execute("begin; set local work_mem = '5MB'; set timezone = 'Asia/Tokyo'");
      try (ResultSet set =
          statement.executeQuery(
              "select current_setting('work_mem') || current_setting('timezone') from l"
                  + " where id = 2")) {
        set.next();
        assertThat(set.getString(1)).isEqualTo("5MBAsia/Tokyo");
      }
      statement.execute(change(2) + "; commit");
      assertThat(values()).containsExactly(0, 1);
    }
  }

  @Test
  void ofCopy() throws SQLException, IOException {
    try (Connection client = connect("extended");
        Statement statement = client.createStatement()) {
      proxy.onShards("truncate l");
      link.breakNext("BEGIN");
      var copies = client.unwrap(PGConnection.class).getCopyAPI();
      String error = "";
      try {
        copies.copyIn("copy l from stdin", new StringReader("1\t1\n2\t2\n"));
      } catch (SQLException e) {
        error = String.valueOf(e.getSQLState());
      }
      assertThat(error).isEqualTo(BROKEN);
      statement.execute("begin");
      copies.copyIn("copy l from stdin", new StringReader("1\t1\n2\t2\n"));
      statement.execute("commit");
      assertThat(values()).containsExactly(1, 2);
    }
  }

  @Test
  void ofACursor() throws SQLException {
    try (Connection client = connect("simple");
        Statement statement = client.createStatement()) {
      statement.execute("begin");
      link.breakNext("BEGIN");
      assertThat(state(statement, "declare c cursor for select v from l order by id"))
          .isEqualTo(BROKEN);
      statement.execute("rollback");
      statement.execute("begin; declare c cursor for select v from l order by id");
      try (ResultSet rows = statement.executeQuery("fetch all from c")) {
        assertThat(rows.next()).isTrue();
      }
      statement.execute("rollback");
    }
  }

  /** What comes before the answer is executed in no other transaction, and COMMIT is none. */
  @Test
  void whenTheClientDoesNotWait() throws IOException, SQLException {
    try (WireClient client = WireClient.login(proxy.port())) {
      client.query("begin");
      link.breakNext("BEGIN");
      List<String> tags = new ArrayList<>();
      for (String sql : List.of(change(1), change(1), "savepoint a", change(2), "commit")) {
        client.sendQuery(sql);
      }
      for (int i = 0; i < 5; i++) {
        client.untilReady().stream()
            .filter(message -> message.type() == 'E' || message.type() == 'C')
            .forEach(
                message ->
                    tags.add(
                        message.type() == 'E'
                            ? message.field('C')
                            : new String(message.content().toArray(), US_ASCII).trim()));
      }
      assertThat(tags).containsExactly(BROKEN, FAILED, FAILED, FAILED, "ROLLBACK");
      assertThat(values()).containsExactly(0, 0);
    }
  }

  /** The same with two pipelines, the second with the COMMIT. */
  @Test
  void whenTheClientSendsPipelines() throws IOException, SQLException {
    try (WireClient client = WireClient.login(proxy.port())) {
      client.query("begin");
      link.breakNext("BEGIN");
      client.send(
          out -> {
            for (List<String> pipeline : List.of(List.of(change(1), change(1)), COMMITTING)) {
              for (String sql : pipeline) {
                FrontendMessages.parse(out, "", sql);
                FrontendMessages.bind(out, "", "");
                FrontendMessages.execute(out, "", 0);
              }
              FrontendMessages.sync(out);
            }
          });
      assertThat(WireClient.errors(client.untilReady())).containsExactly(BROKEN);
      assertThat(WireClient.errors(client.untilReady())).containsExactly(FAILED);
      assertThat(client.query("rollback")).isEmpty();
      assertThat(values()).containsExactly(0, 0);
    }
  }
}
