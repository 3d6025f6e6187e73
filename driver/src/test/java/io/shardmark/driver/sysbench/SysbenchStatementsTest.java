package io.shardmark.driver.sysbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.WrongDataException;
import io.shardmark.driver.servers.SharedPostgres;
import io.shardmark.driver.sysbench.SysbenchTest.Operations;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The tests' transactions on a real PostgreSQL. */
final class SysbenchStatementsTest {
  private static final int SIZE = 1000;

  private static final Set<StatementKind> GIVES_K =
      EnumSet.of(StatementKind.INDEX_UPDATE, StatementKind.INSERT, StatementKind.NEW_ROW);

  private final SysbenchTables tables = new SysbenchTables(2, SIZE, true, SysbenchTest.Ids.ALL);

  @SuppressWarnings("NullAway.Init") // set before each test
  private Connection connection;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Connection observer;

  @BeforeEach
  void open() throws SQLException {
    String database = SharedPostgres.newDatabase();
    connection = SharedPostgres.connect(database);
    observer = SharedPostgres.connect(database);
    for (int table = 1; table <= 2; table++) {
      execute(
          observer,
          "CREATE TABLE sbtest%d (id serial PRIMARY KEY, k int DEFAULT 0 NOT NULL, c char(120) NOT NULL, pad char(60) NOT NULL)"
              .formatted(table));
      execute(
          observer,
          "INSERT INTO sbtest%d SELECT i, i, 'c' || i, 'pad' FROM generate_series(1, %d) i"
              .formatted(table, SIZE));
      execute(
          observer,
          "SELECT setval('sbtest%d_id_seq', %d)".formatted(table, SIZE)); // as buildFinish
      execute(observer, "CREATE INDEX k_%1$d ON sbtest%1$d (k)".formatted(table));
    }
    connection.setAutoCommit(false);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    observer.close();
  }

  private static void execute(Connection on, String sql) throws SQLException {
    try (Statement statement = on.createStatement()) {
      statement.execute(sql);
    }
  }

  private long ask(String sql) throws SQLException {
    try (Statement statement = observer.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static Operations operations(SysbenchTest test, String... lines) {
    return test.operations(KeyDistributionTest.values(lines));
  }

  private SysbenchTerminal terminal(Operations operations) {
    return new SysbenchTerminal(
        TransactionType.unpaced(0, "T", operations.queries()),
        new SysbenchTerminal.Load(operations, 2, random -> random.nextInt(1, SIZE + 1)),
        List.of(),
        new SplittableRandom(11));
  }

  /** What {@code sysbench oltp_* run} counts as queries of a transaction. */
  @ParameterizedTest
  @CsvSource({
    "OLTP_READ_WRITE, 20",
    "OLTP_READ_ONLY, 16",
    "OLTP_WRITE_ONLY, 6",
    "OLTP_POINT_SELECT, 1",
    "OLTP_UPDATE_INDEX, 1",
    "OLTP_UPDATE_NON_INDEX, 1",
    "SELECT_RANDOM_POINTS, 1",
    "SELECT_RANDOM_RANGES, 1",
    "OLTP_DELETE, 1",
    "OLTP_INSERT, 1"
  })
  void hasAsManyQueriesAsSysbench(SysbenchTest test, int queries) {
    assertThat(operations(test).queries()).isEqualTo(queries);
    assertThat(operations(test, "skipTrx=true").queries()).isEqualTo(queries > 1 ? queries - 2 : 1);
  }

  @ParameterizedTest
  @EnumSource(SysbenchTest.class)
  void transactionsRunAndKeepTheTables(SysbenchTest test) throws SQLException {
    Operations operations = operations(test);
    SysbenchStatements executor = new SysbenchStatements(connection, operations, tables);
    SysbenchTerminal terminal = terminal(operations);
    for (int i = 0; i < 30; i++) {
      assertThat(executor.execute(terminal.next())).isEqualTo(Outcome.COMMITTED);
    }
    for (int table = 1; table <= 2; table++) {
      long rows = ask("SELECT count(DISTINCT id) FROM sbtest" + table);
      switch (test.leaves()) {
        case ALL -> assertThat(rows).isEqualTo(SIZE);
        case FEWER -> assertThat(rows).isLessThan(SIZE);
        case MORE -> assertThat(rows).isGreaterThan(SIZE);
      }
      new SysbenchTables(2, SIZE, true, test.leaves()).requireTables(connection);
    }
    long digits =
        ask(
            "SELECT count(*) FROM (SELECT * FROM sbtest1 UNION ALL SELECT * FROM sbtest2) t"
                + " WHERE c ~ '^(\\d{11}-){9}\\d{11} *$'");
    if (operations.statements().stream().anyMatch(kind -> kind.texts() > 0)) {
      assertThat(digits).isPositive();
    } else {
      assertThat(digits).isZero();
    }
    long moved =
        ask(
            "SELECT count(*) FROM (SELECT * FROM sbtest1 UNION ALL SELECT * FROM sbtest2) t"
                + " WHERE k <> id");
    if (operations.statements().stream().anyMatch(GIVES_K::contains)) {
      assertThat(moved).isPositive();
    } else {
      assertThat(moved).isZero();
    }
  }

  @Test
  void nothingStaysOfATransactionThatFails() throws SQLException {
    execute(observer, "ALTER TABLE sbtest1 ADD CHECK (pad = 'pad')");
    execute(observer, "ALTER TABLE sbtest2 ADD CHECK (pad = 'pad')");
    Operations operations = operations(SysbenchTest.OLTP_WRITE_ONLY);
    SysbenchStatements executor = new SysbenchStatements(connection, operations, tables);
    SysbenchTerminal terminal = terminal(operations);
    assertThatThrownBy(() -> executor.execute(terminal.next())).isInstanceOf(SQLException.class);
    connection.rollback();
    assertThat(ask("SELECT count(*) FROM sbtest1 WHERE k = id AND c = 'c' || id")).isEqualTo(SIZE);
    assertThat(ask("SELECT count(*) FROM sbtest2 WHERE k = id AND c = 'c' || id")).isEqualTo(SIZE);
  }

  @Test
  void aRowThatIsMissingIsWrongData() throws SQLException {
    execute(observer, "DELETE FROM sbtest1 WHERE id = 500");
    execute(observer, "DELETE FROM sbtest2 WHERE id = 500");
    Operations ranges =
        operations(SysbenchTest.OLTP_READ_ONLY, "pointSelects=0", "rangeSize=" + SIZE);
    SysbenchStatements readsRanges = new SysbenchStatements(connection, ranges, tables);
    SysbenchTerminal.SysbenchInput all =
        new SysbenchTerminal.SysbenchInput(
            TransactionType.unpaced(0, "T", 1),
            new int[] {1, 1, 1, 1, 1, 1, 1, 1, 1},
            new int[] {1, 1, 1, 1},
            new String[0],
            false);
    assertThatThrownBy(() -> readsRanges.execute(all))
        .isInstanceOf(WrongDataException.class)
        .hasMessage("sbtest1: 999 rows from id 1 on instead of 1000");
    connection.rollback();
    SysbenchStatements readsPoints =
        new SysbenchStatements(
            connection,
            operations(SysbenchTest.OLTP_READ_ONLY, "pointSelects=1", "rangeSelects=false"),
            tables);
    SysbenchTerminal.SysbenchInput point =
        new SysbenchTerminal.SysbenchInput(
            all.type(), all.tables(), new int[] {500}, new String[0], false);
    assertThatThrownBy(() -> readsPoints.execute(point))
        .isInstanceOf(WrongDataException.class)
        .hasMessageContaining("sbtest1: 0 rows from id 500 on instead of 1");
  }

  /** What a DELETE that waited for another transaction's DELETE and INSERT leads to. */
  @Test
  void aRowThatCameBackIsASerializationFailure() throws SQLException {
    Operations operations =
        operations(SysbenchTest.OLTP_WRITE_ONLY, "indexUpdates=0", "nonIndexUpdates=0");
    SysbenchStatements executor = new SysbenchStatements(connection, operations, tables);
    execute(
        observer,
        "CREATE FUNCTION put_back() RETURNS trigger AS $$ BEGIN RETURN NULL; END $$ LANGUAGE"
            + " plpgsql");
    execute(
        observer,
        "CREATE TRIGGER put_back BEFORE DELETE ON sbtest1 FOR EACH ROW EXECUTE FUNCTION"
            + " put_back()");
    SysbenchTerminal.SysbenchInput input =
        new SysbenchTerminal.SysbenchInput(
            TransactionType.unpaced(0, "T", 1),
            new int[] {1, 1, 1, 1, 1, 1, 1, 1, 1},
            new int[] {7, 8},
            new String[] {"c", "pad"},
            false);
    assertThatThrownBy(() -> executor.execute(input))
        .isInstanceOf(SQLException.class)
        .hasMessageStartingWith("id 7 was deleted and put back by another transaction meanwhile")
        .extracting("SQLState")
        .isEqualTo("40001");
  }

  @Test
  void tablesThatDoNotFitAreRefused() throws SQLException {
    tables.requireTables(connection);
    assertThatThrownBy(
            () -> new SysbenchTables(3, SIZE, true, SysbenchTest.Ids.ALL).requireTables(connection))
        .isInstanceOf(ConfigException.class)
        .hasMessage("tables=3: the database has no sbtest3; set tables=2, or destroy and build");
    assertThatThrownBy(
            () -> new SysbenchTables(2, 500, true, SysbenchTest.Ids.ALL).requireTables(connection))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "tableSize=500: sbtest1 has ids 1 to 1000; set tableSize=1000, or destroy and build");
    connection.rollback();
    execute(observer, "DROP INDEX k_2");
    assertThatThrownBy(() -> tables.requireTables(connection))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("sbtest2 has no index on k");
    new SysbenchTables(2, SIZE, false, SysbenchTest.Ids.ALL).requireTables(connection);
    execute(observer, "DELETE FROM sbtest1");
    assertThatThrownBy(
            () ->
                new SysbenchTables(2, SIZE, false, SysbenchTest.Ids.ALL).requireTables(connection))
        .isInstanceOf(ConfigException.class)
        .hasMessage("tableSize=1000: sbtest1 has no rows; destroy and build");
    connection.rollback();
    execute(observer, "DROP TABLE sbtest1");
    assertThatThrownBy(() -> tables.requireTables(connection))
        .as("for which a run says that build makes them")
        .isInstanceOf(SQLException.class)
        .extracting("SQLState")
        .isEqualTo("42P01");
  }

  @Test
  void aTestWithNothingToDoIsRefused() {
    PropertyReader values =
        KeyDistributionTest.values("sysbenchTest=oltp_update_index", "indexUpdates=0");
    assertThatThrownBy(() -> SysbenchWorkload.operations(values))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("with something to do");
  }
}
