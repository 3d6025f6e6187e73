package io.shardmark.sql.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.IsolationLevel;
import io.shardmark.config.Secret;
import io.shardmark.config.ShardMapUse;
import io.shardmark.servers.PrivateMariaDb;
import io.shardmark.sql.dialect.Dialect;
import io.shardmark.sql.dialect.SqlErrorClass;
import io.shardmark.sql.jdbc.DatabaseConnections;
import io.shardmark.sql.script.Script;
import io.shardmark.sql.script.ScriptLocator;
import io.shardmark.sql.script.ScriptRunner;
import io.shardmark.sql.script.ScriptStep;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts of sql.mysql on a real MariaDB, where one is installed. */
final class MariaDbScriptsTest {
  @TempDir private static Path directory;
  private static PrivateMariaDb server;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    boolean installed = PrivateMariaDb.isInstalled();
    if (!installed) {
      System.err.println("MariaDbScriptsTest skipped: no MariaDB");
    }
    Assumptions.assumeTrue(installed, "MariaDB is not installed");
    server = PrivateMariaDb.start("bench", "bench");
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  private static ConnectionConfig config(Duration statementTimeout) {
    return new ConnectionConfig(
        DatabaseKind.MARIADB,
        "org.mariadb.jdbc.Driver",
        server.url(),
        "root",
        new Secret(""),
        Duration.ofMinutes(4),
        statementTimeout,
        IsolationLevel.DEFAULT,
        ShardMapUse.AUTO);
  }

  @AfterEach
  void dropTables() throws SQLException {
    try (Connection connection = DatabaseConnections.of(config(Duration.ZERO)).open()) {
      run(connection, ScriptStep.destroy());
    }
  }

  private static void run(Connection connection, List<ScriptStep> steps) throws SQLException {
    run(directory, connection, steps);
  }

  private static void run(Path workingDirectory, Connection connection, List<ScriptStep> steps)
      throws SQLException {
    ScriptLocator locator =
        new ScriptLocator(workingDirectory, DatabaseKind.MARIADB, ScriptStep.scripts());
    PrintStream out =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    for (ScriptStep step : steps) {
      new ScriptRunner(connection, out).run(locator.locate(step));
    }
  }

  private static final String PRIMARY_KEYS =
      "select group_concat(table_name order by table_name) from information_schema.table_constraints"
          + " where constraint_type = 'PRIMARY KEY' and table_schema = database()";

  /** NOCOPY is refused where InnoDB would have to write all rows of a table once more. */
  @Test
  void keysCopyNoTable() throws SQLException {
    try (Connection connection = DatabaseConnections.of(config(Duration.ZERO)).open()) {
      run(connection, ScriptStep.beforeLoad());
      assertThat(query(connection, PRIMARY_KEYS))
          .containsExactly(
              "bmsql_config,bmsql_customer,bmsql_district,bmsql_item,bmsql_new_order,bmsql_oorder,"
                  + "bmsql_order_line,bmsql_stock,bmsql_warehouse");
      query(connection, "set alter_algorithm = 'NOCOPY'");
      run(connection, List.of(ScriptStep.INDEX_CREATES, ScriptStep.FOREIGN_KEYS));
    }
  }

  @Test
  void tablesOfOnesOwnGetThePrimaryKeysThatTheyLack(@TempDir Path own) throws Exception {
    String builtIn =
        new ScriptLocator(directory, DatabaseKind.MARIADB, ScriptStep.scripts())
            .locate(ScriptStep.TABLE_CREATES)
            .text();
    Files.createDirectories(own.resolve("sql.common"));
    Files.writeString(
        own.resolve("sql.common/tableCreates.sql"),
        builtIn.replaceAll(",\n  primary key \\(.*\\)", ""));
    try (Connection connection = DatabaseConnections.of(config(Duration.ZERO)).open()) {
      run(own, connection, ScriptStep.beforeLoad());
      assertThat(query(connection, PRIMARY_KEYS)).containsExactly("bmsql_config");
      run(own, connection, ScriptStep.afterLoad());
      assertThat(query(connection, PRIMARY_KEYS).get(0).split(",")).hasSize(10);
    }
  }

  private static List<String> query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> found = new ArrayList<>();
      while (rows.next()) {
        found.add(rows.getString(1));
      }
      return found;
    }
  }

  @Test
  void buildsAndDestroysTheWholeSchemaTwice() throws SQLException {
    try (Connection connection = DatabaseConnections.of(config(Duration.ZERO)).open()) {
      for (int round = 0; round < 2; round++) {
        run(connection, ScriptStep.beforeLoad());
        PrintStream out =
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        new ScriptRunner(connection, out)
            .run(new Script("load", "insert into bmsql_history (hist_id) values (41);"));
        run(connection, ScriptStep.afterLoad());
        assertThat(
                query(
                    connection,
                    "select constraint_name from information_schema.referential_constraints"
                        + " where constraint_schema = database() order by 1"))
            .containsExactlyInAnyOrder(
                "c_district_fkey",
                "d_warehouse_fkey",
                "h_customer_fkey",
                "h_district_fkey",
                "no_order_fkey",
                "o_customer_fkey",
                "ol_order_fkey",
                "ol_stock_fkey",
                "s_item_fkey",
                "s_warehouse_fkey");
        assertThat(
                query(
                    connection,
                    "select distinct engine from information_schema.tables"
                        + " where table_schema = database()"))
            .containsExactly("InnoDB");
        new ScriptRunner(connection, out)
            .run(new Script("run", "insert into bmsql_history (h_data) values ('new');"));
        assertThat(query(connection, "select hist_id from bmsql_history order by 1"))
            .containsExactly("41", "42");
        run(
            connection,
            List.of(
                ScriptStep.TABLE_TRUNCATES,
                ScriptStep.INDEX_DROPS,
                ScriptStep.INDEX_CREATES,
                ScriptStep.FOREIGN_KEYS));
        new ScriptRunner(connection, out)
            .run(new Script("load", "create table bmsql_load_progress (unit varchar(40));"));
        run(connection, ScriptStep.destroy());
        assertThat(query(connection, "show tables")).isEmpty();
      }
      // Nothing is left to drop, and that is no error.
      run(connection, ScriptStep.destroy());
    }
  }

  @Test
  void limitsTheTimeOfStatementsOnTheServer() throws SQLException {
    try (Connection connection = DatabaseConnections.of(config(Duration.ofMillis(2500))).open()) {
      assertThat(query(connection, "select @@max_statement_time")).containsExactly("2.500000");
      assertThatThrownBy(() -> query(connection, "select sleep(60)"))
          .isInstanceOfSatisfying(
              SQLException.class,
              e ->
                  assertThat(Dialect.MYSQL.classify(e)).isEqualTo(SqlErrorClass.STATEMENT_TIMEOUT));
    }
  }
}
