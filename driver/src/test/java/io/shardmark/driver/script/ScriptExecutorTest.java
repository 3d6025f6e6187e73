package io.shardmark.driver.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.WrongDataException;
import io.shardmark.driver.servers.SharedPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scripts on a real PostgreSQL. */
final class ScriptExecutorTest {
  @SuppressWarnings("NullAway.Init") // set before each test
  private Connection connection;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Connection observer;

  @BeforeEach
  void open() throws SQLException {
    String database = SharedPostgres.newDatabase();
    connection = SharedPostgres.connect(database);
    observer = SharedPostgres.connect(database);
    try (Statement statement = observer.createStatement()) {
      statement.execute("CREATE TABLE t (a int, b text, c double precision, d boolean, e jsonb)");
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    observer.close();
  }

  private void run(String text, int times) throws SQLException {
    ScriptMix mix = ScriptFixture.mix(text);
    ScriptTerminal terminal = ScriptFixture.terminal(mix, 3);
    ScriptExecutor executor = new ScriptExecutor(connection, mix.variables(), true);
    for (int i = 0; i < times; i++) {
      executor.execute(terminal.next());
    }
  }

  private String rows() throws SQLException {
    try (Statement statement = observer.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT string_agg(concat_ws(',', a, b, c, d, e), ';' ORDER BY a) FROM t")) {
      row.next();
      return String.valueOf(row.getString(1));
    }
  }

  @Test
  void theServerGivesParametersTheirTypes() throws SQLException {
    run(
        """
        \\set a 40 + 2
        \\set c 1.0 / 3
        \\set d :a > 1
        \\set n null
        BEGIN;
        INSERT INTO t VALUES (:a, :a, :c, :d, :n), (:n, :a, :c, :d, :n);
        DELETE FROM t WHERE a IS NULL AND NOT (e ? 'x') IS TRUE;
        END;
        """,
        7);
    assertThat(rows().split(";", -1)).hasSize(7).containsOnly("42,42,0.333333333333333,t");
  }

  @Test
  void variablesStayFromOneScriptToTheNextAndBranchesAreTaken() throws SQLException {
    run(
        """
        \\if :scale = 1
          \\set n 1
          \\set scale 2
        \\elif :n < 3
          \\set n :n + 1
        \\else
          \\set n 100
        \\endif
        INSERT INTO t (a) VALUES (:n);
        """,
        4);
    assertThat(rows()).isEqualTo("1;2;3;100");
  }

  @Test
  void rowsBecomeVariables() throws SQLException {
    run(
        """
        SELECT 5 AS five, 'x' || :scale AS name, NULL::int AS nothing \\gset my_
        \\set six :my_five + 1
        INSERT INTO t (a, b, d) VALUES (:six, :my_name, :my_nothing::int IS NULL);
        """,
        1);
    assertThat(rows()).isEqualTo("6,x1,t");
    assertThatThrownBy(() -> run("SELECT 1 AS a WHERE false \\gset\nSELECT :a;", 1))
        .isInstanceOf(WrongDataException.class)
        .hasMessage("my.sql:1: no row for \\gset");
    assertThatThrownBy(() -> run("SELECT 1 AS a UNION ALL SELECT 2 \\gset\n", 1))
        .isInstanceOf(WrongDataException.class)
        .hasMessage("my.sql:1: several rows for \\gset");
  }

  @Test
  void aPipelineIsOneTransaction() throws SQLException {
    String script =
        """
        \\startpipeline
        \\set a 1
        INSERT INTO t (a) VALUES (:a);
        \\set a 2
        INSERT INTO t (a) SELECT :a;
        SELECT count(*) FROM t;
        \\syncpipeline
        INSERT INTO t (a) VALUES (10);
        INSERT INTO t (a) VALUES (10 / (:scale - 1));
        \\endpipeline
        """;
    assertThatThrownBy(() -> run(script, 1))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("division by zero");
    assertThat(rows()).isEqualTo("1;2");
    run(script.replace(":scale - 1", ":scale"), 1);
    assertThat(rows()).isEqualTo("1;1;2;2;10;10");
  }

  @Test
  void aFailedTransactionDrawsTheSameWhenItIsTriedAgain() throws SQLException {
    ScriptMix mix =
        ScriptFixture.mix(
            """
            \\set a random(1, 1000000000)
            BEGIN;
            INSERT INTO t (a) VALUES (:a);
            INSERT INTO u VALUES (:a);
            COMMIT;
            """);
    ScriptExecutor executor = new ScriptExecutor(connection, mix.variables(), true);
    Transaction transaction = ScriptFixture.terminal(mix, 3).next();
    assertThatThrownBy(() -> executor.execute(transaction)).hasMessageContaining("\"u\"");
    try (Statement statement = observer.createStatement()) {
      statement.execute("SET lock_timeout = '5s'");
      statement.execute("CREATE TABLE u (a int)");
      statement.execute("BEGIN; LOCK TABLE t; END"); // nothing is open any more
    }
    executor.execute(transaction);
    executor.execute(ScriptFixture.terminal(mix, 3).next());
    try (Statement statement = observer.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT count(*), count(DISTINCT a), min(a) FROM u")) {
      row.next();
      assertThat(row.getInt(1)).isEqualTo(2);
      assertThat(row.getInt(2)).isEqualTo(1);
      assertThat(rows()).isEqualTo(row.getString(3) + ";" + row.getString(3));
    }
  }

  @Test
  void aScriptThatLeavesItsTransactionOpenEndsTheRun() throws SQLException {
    assertThatThrownBy(() -> run("BEGIN;\nINSERT INTO t (a) VALUES (1);", 1))
        .isInstanceOf(ScriptException.class)
        .hasMessage("my.sql: the script ends in a transaction: expected COMMIT or END");
    assertThat(rows()).isEqualTo("null");
  }

  @Test
  void whatCannotBeComputedEndsTheRunWithItsLine() {
    assertThatThrownBy(() -> run("\n\\set a 1 / (:scale - 1)\nSELECT :a;", 1))
        .isInstanceOf(ScriptException.class)
        .hasMessage("my.sql:2: /: division by zero");
    assertThatThrownBy(() -> run("\\if false\n\\set a 1\n\\endif\nSELECT :a;", 1))
        .hasMessage("my.sql:4: the variable a is not set when it is used");
    assertThatThrownBy(() -> run("\\set a 9223372036854775807 + :scale\nSELECT :a;", 1))
        .hasMessage("my.sql:1: +: long overflow");
    assertThatThrownBy(() -> run("SELECT 'x' AS x \\gset\n\\set a :x + 1\nSELECT :a;", 1))
        .hasMessage("my.sql:2: 'x' is no number");
  }
}
