package io.shardmark.driver.bmt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.benchmark.CannotGoOnException;
import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.TestProperties;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.WrongDataException;
import io.shardmark.driver.servers.SharedPostgres;
import io.shardmark.driver.verify.ConditionResult;
import io.shardmark.driver.verify.ShardedVerifier;
import io.shardmark.driver.verify.Verdict;
import io.shardmark.driver.verify.Verifier;
import io.shardmark.sql.shards.Shard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The BMT on a real PostgreSQL: operations, rows of each terminal, conditions. */
final class BmtTest {
  private static final Path SCRIPTS = Path.of("..", "sql", "bmt");

  @SuppressWarnings("NullAway.Init") // set before each test
  private String database;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Connection connection;

  @BeforeEach
  void create() throws SQLException, IOException {
    database = SharedPostgres.newDatabase();
    connection = SharedPostgres.connect(database);
    try (Statement statement = connection.createStatement()) {
      statement.execute(Files.readString(SCRIPTS.resolve("sql.postgres/tableCreates.sql")));
      statement.execute(Files.readString(SCRIPTS.resolve("sql.common/indexCreates.sql")));
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private static BmtWorkload workload(String operations, int statements, String more) {
    String text =
        """
        workload=bmt
        terminals=2
        runMins=1
        runTxnsPerTerminal=0
        seed=5
        rows=1000
        operations=%s
        statementsPerCommit=%d
        """
            .formatted(operations, statements);
    BenchmarkProperties properties =
        TestProperties.of(
            text, more.isEmpty() ? Map.of() : Map.of("runMins", "0", "runTxnsPerTerminal", more));
    return new BmtWorkload(Settings.of(new Bmt(), properties));
  }

  /** Runs so many transactions of two terminals in turn. */
  private List<Transaction> run(String operations, int statements, int transactions)
      throws SQLException {
    BmtWorkload workload = workload(operations, statements, "");
    connection.setAutoCommit(false);
    workload.prepare(connection);
    TransactionExecutor executor = workload.newExecutor(connection);
    List<Terminal> terminals = List.of(workload.newTerminal(0), workload.newTerminal(1));
    List<Transaction> run = new ArrayList<>();
    for (int i = 0; i < transactions; i++) {
      Transaction transaction = terminals.get(i % 2).next();
      executor.execute(transaction);
      run.add(transaction);
    }
    connection.setAutoCommit(true);
    return run;
  }

  private String ask(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return String.valueOf(row.getString(1));
    }
  }

  private List<String> failed(int statements) throws SQLException, InterruptedException {
    BmtConditions conditions = new BmtConditions(statements);
    List<ConditionResult> one =
        new Verifier(() -> SharedPostgres.connect(database), DatabaseKind.POSTGRES, 1)
            .run(conditions)
            .results();
    List<ConditionResult> shards =
        new ShardedVerifier(
                () -> SharedPostgres.connect(database), List.of(new Shard(0, "s1", "h", 1, "d")), 1)
            .run(conditions)
            .results();
    List<String> failed = clauses(one);
    assertThat(clauses(shards)).containsExactlyInAnyOrderElementsOf(failed);
    return failed;
  }

  private static List<String> clauses(List<ConditionResult> results) {
    assertThat(results).hasSize(2);
    return results.stream()
        .filter(result -> result.verdict() != Verdict.PASS)
        .map(ConditionResult::clause)
        .toList();
  }

  @Test
  void everyMixKeepsWholeTransactions() throws Exception {
    run("insert", 10, 20);
    assertThat(ask("SELECT count(*) FROM tb_test1")).isEqualTo("200");
    assertThat(failed(10)).isEmpty();
    List<Transaction> mixed = run("insert, delete, select, update", 10, 60);
    long inserts = mixed.stream().filter(t -> t.type().name().equals("INSERT")).count();
    long deletes = mixed.stream().filter(t -> t.type().name().equals("DELETE")).count();
    assertThat(inserts).isBetween(5L, 30L);
    assertThat(deletes).isBetween(5L, 30L);
    assertThat(ask("SELECT count(*) FROM tb_test1"))
        .isEqualTo(Long.toString(200 + 10 * (inserts - deletes)));
    assertThat(failed(10)).isEmpty();
    assertThat(ask("SELECT min(octet_length(t::text)) FROM tb_test1 t")).isGreaterThan("3");
    assertThat(ask("SELECT count(*) FROM tb_test1 WHERE pg_column_size(c8) < 500")).isEqualTo("0");
  }

  /** Chance would use up any number of rows, since it adds and takes as many in the mean. */
  @Test
  void whereInsertsAreAsFrequentATerminalKeepsItsLastRows() throws Exception {
    run("insert", 5, 2);
    run("insert, delete, select", 5, 400);
    assertThat(Integer.parseInt(ask("SELECT count(*) FROM tb_test1"))).isGreaterThanOrEqualTo(10);
    assertThat(failed(5)).isEmpty();
  }

  @Test
  void terminalsTouchDifferentRowsAndEachRowIsDeletedOnce() throws Exception {
    run("insert", 5, 12);
    Set<Integer> seen = new HashSet<>();
    for (Transaction transaction : run("delete", 5, 12)) {
      for (int id : ((BmtTerminal.BmtInput) transaction).ids()) {
        assertThat(seen.add(id)).isTrue();
      }
    }
    assertThat(ask("SELECT count(*) FROM tb_test1")).isEqualTo("0");
    assertThat(seen).hasSize(60);
    run("insert", 5, 4);
    assertThatThrownBy(() -> run("delete", 5, 6))
        .isInstanceOf(CannotGoOnException.class)
        .hasMessage(
            "a terminal has no rows left to delete, read or change: build with more rows, or run"
                + " shorter");
  }

  @Test
  void aStatementWithoutACommitForEachIsATransactionOfItsOwn() throws Exception {
    run("insert", 1, 4);
    run("update, select, delete@0", 1, 10);
    assertThat(failed(1)).isEmpty();
  }

  @Test
  void runsThatDoNotFitTheRowsAreRefused() throws SQLException {
    run("insert", 10, 4);
    assertThatThrownBy(() -> run("select", 5, 1))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("whose rows came 10 at a time: set statementsPerCommit=10");
    BmtWorkload tooMany = workload("delete", 10, "3");
    assertThatThrownBy(() -> prepare(tooMany)).hasMessageContaining("deletes about 60: expected");
    prepare(workload("delete", 10, "2"));
    prepare(workload("delete, insert", 10, "300"));
    run("delete", 10, 3);
    assertThatThrownBy(() -> run("select", 10, 1))
        .hasMessageStartingWith("tb_test1 has 10 rows: expected at least 20");
  }

  private void prepare(BmtWorkload workload) throws SQLException {
    connection.setAutoCommit(false);
    workload.prepare(connection);
  }

  @Test
  void aMissingRowIsWrongDataAndAFailedInsertIsNotRead() throws SQLException {
    run("insert", 10, 4);
    BmtWorkload workload = workload("delete", 10, "");
    prepare(workload);
    try (Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM tb_test1 WHERE c1 = 5");
    }
    connection.commit();
    assertThatThrownBy(
            () -> workload.newExecutor(connection).execute(workload.newTerminal(0).next()))
        .isInstanceOf(WrongDataException.class)
        .hasMessage("DELETE of row 5: 0 rows instead of 1");
    connection.rollback();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DELETE FROM tb_test1 WHERE c1 = 7 | transactions",
        "UPDATE tb_test1 SET c3 = 1 WHERE c1 = 15 | transactions",
        "UPDATE tb_test1 SET c4 = concat('x', left(c4, 499)) WHERE c1 = 7 | rows",
        "UPDATE tb_test1 SET c5 = NULL WHERE c1 = 7 | rows",
        "UPDATE tb_test1 SET c10 = NULL WHERE c1 = 7 | rows",
      })
  void eachDamageIsFound(String damage, String clause) throws Exception {
    run("insert", 10, 4);
    try (Statement statement = connection.createStatement()) {
      statement.execute(damage);
    }
    assertThat(failed(10)).containsExactly(clause);
  }

  @Test
  void metricsCountStatementsAndEachOperation() {
    assertThat(workload("insert", 10, "").metrics().stream().map(MetricRule::name).toList())
        .containsExactly("tps", "commits");
    BmtWorkload mixed = workload("insert@3, delete@1", 10, "");
    assertThat(mixed.metrics().stream().map(MetricRule::name).toList())
        .containsExactly("tps", "insertTps", "deleteTps", "commits");
    assertThat(mixed.metrics().get(2).weight(mixed.types().get(1))).isEqualTo(10);
    assertThat(mixed.metrics().get(2).weight(mixed.types().get(0))).isZero();
  }

  @Test
  void everyRowIsAsWideAsItsColumns() {
    assertThat(BmtRows.text(1_999_999_999, 5)).hasSize(500).startsWith("1999999999");
    assertThat(BmtRows.text(7, 0)).hasSize(500).isNotEqualTo(BmtRows.text(7, 1));
  }
}
