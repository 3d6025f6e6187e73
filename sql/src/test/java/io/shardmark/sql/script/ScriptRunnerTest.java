package io.shardmark.sql.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.sql.TestPostgres;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ScriptRunnerTest {
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = TestPostgres.open(TestPostgres.newDatabase());
  }

  @AfterEach
  void disconnect() throws SQLException {
    connection.close();
  }

  private String run(String text) throws SQLException {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    new ScriptRunner(connection, new PrintStream(shown, true, StandardCharsets.UTF_8))
        .run(new Script("./my.sql", text));
    return shown.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }

  private List<String> query(String sql) throws SQLException {
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
  void saysWhatToDoWhereTheUserMayNotCreate() {
    assertThatThrownBy(() -> run("create table pg_catalog.t (a int);"))
        .isInstanceOf(ScriptException.class)
        .hasMessageContainingAll("permission denied", "(SQLSTATE 42501)")
        .hasMessageEndingWith(
            "; use a database that this user owns (create database NAME owner USER), and its name in"
                + " the key conn");
  }

  @Test
  void showsHeaderCommentsAndStatementsAsBenchmarkSqlDoes() throws SQLException {
    connection.setAutoCommit(false);
    assertThat(run("-- first\ncreate table t (\n  a int\n);\n\ninsert into t values (1)"))
        .isEqualTo(
            """
            # ------------------------------------------------------------
            # Loading SQL file ./my.sql
            # ------------------------------------------------------------
            -- first
            create table t (
            a int
            );
            insert into t values (1);
            """);
    connection.setAutoCommit(false);
    connection.rollback();
    assertThat(query("select a from t")).containsExactly("1");
  }

  @Test
  void stopsAtAFailingStatementAndSaysWhereItIs() throws SQLException {
    assertThatThrownBy(
            () ->
                run(
                    "create table t (a int);\n\ninsert into\n  nowhere\nvalues (1);\ndrop table t;"))
        .isInstanceOf(ScriptException.class)
        .hasMessageMatching(
            "\\./my\\.sql line 3: ERROR: relation \"nowhere\" does not exist .*"
                + "\\(SQLSTATE 42P01\\) in: insert into nowhere values \\(1\\)");
    assertThat(query("select count(*) from t")).containsExactly("0");
  }

  @Test
  void sendsBracesAndColonsInBodiesUntouched() throws SQLException {
    run("-- {\ndo $x$ begin create table t as select '{fn now()}:new' as a; end $x$;\n-- }");
    assertThat(query("select a from t")).containsExactly("{fn now()}:new");
  }

  @Test
  void buildsAndDestroysTheWholeSchemaTwice() throws SQLException {
    for (int round = 0; round < 2; round++) {
      TestPostgres.runSteps(connection, ScriptStep.beforeLoad());
      TestPostgres.runSteps(connection, ScriptStep.afterLoad());
      assertThat(query(TABLES)).hasSize(10);
      assertThat(query(CONSTRAINTS + "'p' order by 1"))
          .containsExactly(
              "bmsql_config_pkey",
              "bmsql_customer_pkey",
              "bmsql_district_pkey",
              "bmsql_history_pkey",
              "bmsql_item_pkey",
              "bmsql_new_order_pkey",
              "bmsql_oorder_pkey",
              "bmsql_order_line_pkey",
              "bmsql_stock_pkey",
              "bmsql_warehouse_pkey");
      assertThat(query(CONSTRAINTS + "'f' order by 1"))
          .containsExactly(
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
      assertThat(query("select proname from pg_proc where proname like 'bmsql%'")).hasSize(6);
      TestPostgres.runSteps(
          connection,
          List.of(
              ScriptStep.TABLE_TRUNCATES,
              ScriptStep.INDEX_DROPS,
              ScriptStep.INDEX_CREATES,
              ScriptStep.FOREIGN_KEYS));
      assertThat(query(CONSTRAINTS + "'f'")).hasSize(10);
      run("create table bmsql_load_progress (unit varchar(40));");
      TestPostgres.runSteps(connection, ScriptStep.destroy());
      assertThat(query(TABLES)).isEmpty();
      assertThat(query("select proname from pg_proc where proname like 'bmsql%'")).isEmpty();
    }
    // Nothing is left to drop, and that is no error.
    TestPostgres.runSteps(connection, ScriptStep.destroy());
  }

  @Test
  void letsHistoryCountOnFromTheHighestLoadedNumber() throws SQLException {
    TestPostgres.runSteps(connection, ScriptStep.beforeLoad());
    run("insert into bmsql_history (hist_id) values (41), (7);");
    TestPostgres.runSteps(connection, List.of(ScriptStep.EXTRA_HIST_ID));
    run("insert into bmsql_history (h_data) values ('new');");
    assertThat(query("select hist_id from bmsql_history order by 1"))
        .containsExactly("7", "41", "42");
  }

  private static final String TABLES =
      "select relname from pg_class where relkind in ('r', 'S') and relname like 'bmsql%'"
          + " and relname <> 'bmsql_hist_id_seq'";
  private static final String CONSTRAINTS =
      "select conname from pg_constraint where conrelid::regclass::text like 'bmsql%' and contype = ";
}
