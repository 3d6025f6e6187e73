package io.shardmark.driver.tpcb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.benchmark.OperationMix;
import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.WrongDataException;
import io.shardmark.driver.servers.SharedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The three forms of the transactions on a real PostgreSQL. */
final class TpcbStatementsTest {
  private static final Path FUNCTION = Path.of("../sql/tpcb/sql.postgres/functionCreates.sql");

  @SuppressWarnings("NullAway.Init") // set before each test
  private Connection connection;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Connection observer;

  @BeforeEach
  void open() throws SQLException, IOException {
    String database = SharedPostgres.newDatabase();
    connection = SharedPostgres.connect(database);
    observer = SharedPostgres.connect(database);
    SmallTpcb.create(connection);
    try (Statement statement = connection.createStatement()) {
      statement.execute(Files.readString(FUNCTION));
    }
    connection.setAutoCommit(false);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    observer.close();
  }

  private long sum(String column, String table) throws SQLException {
    return SmallTpcb.ask(
        observer, "SELECT coalesce(sum(%s), 0) FROM pgbench_%s".formatted(column, table));
  }

  private static TpcbScript.TpcbInput input(TpcbScript script, int account, int delta) {
    return new TpcbScript.TpcbInput(
        script, TransactionType.unpaced(0, script.name(), 1), account, 2, 13, delta, false);
  }

  @ParameterizedTest
  @EnumSource(TpcbExecutor.Form.class)
  void eachTransactionWritesWhatItsNameSays(TpcbExecutor.Form form) throws SQLException {
    TransactionExecutor executor = new TpcbExecutor(connection, form);
    assertThat(executor.execute(input(TpcbScript.TPCB_LIKE, 7, 1000))).isEqualTo(Outcome.COMMITTED);
    assertThat(executor.execute(input(TpcbScript.SELECT_ONLY, 7, 200)))
        .isEqualTo(Outcome.COMMITTED);
    executor.execute(input(TpcbScript.NO_HISTORY, 7, 30));
    executor.execute(input(TpcbScript.SIMPLE_UPDATE, 8, 4));
    assertThat(sum("abalance", "accounts WHERE aid = 7")).isEqualTo(1030);
    assertThat(sum("abalance", "accounts")).isEqualTo(1034);
    assertThat(sum("tbalance", "tellers WHERE tid = 13")).isEqualTo(1030);
    assertThat(sum("tbalance", "tellers")).isEqualTo(1030);
    assertThat(sum("bbalance", "branches WHERE bid = 2")).isEqualTo(1030);
    assertThat(sum("bbalance", "branches")).isEqualTo(1030);
    assertThat(
            SmallTpcb.ask(
                observer,
                "SELECT count(*) FROM pgbench_history WHERE bid = 2 AND tid = 13"
                    + " AND (aid, delta) IN ((7, 1000), (8, 4)) AND mtime IS NOT NULL"))
        .isEqualTo(2);
    assertThat(sum("delta", "history")).isEqualTo(1004);
  }

  @ParameterizedTest
  @EnumSource(TpcbExecutor.Form.class)
  void manyTransactionsOnOneConnectionConserveTheBalances(TpcbExecutor.Form form)
      throws SQLException {
    TransactionExecutor executor = new TpcbExecutor(connection, form);
    OperationMix<TpcbScript> mix = SmallTpcb.mix("tpcb-like@3, select-only@1");
    TpcbTerminal terminal =
        new TpcbTerminal(SmallTpcb.SCALE, mix, List.of(), new SplittableRandom(5));
    for (int i = 0; i < 200; i++) {
      executor.execute(terminal.next());
    }
    long history = sum("delta", "history");
    assertThat(SmallTpcb.ask(observer, "SELECT count(*) FROM pgbench_history"))
        .isBetween(110L, 190L);
    assertThat(sum("abalance", "accounts")).isEqualTo(history);
    assertThat(sum("tbalance", "tellers")).isEqualTo(history);
    assertThat(sum("bbalance", "branches")).isEqualTo(history);
  }

  @ParameterizedTest
  @EnumSource(TpcbExecutor.Form.class)
  void anAccountThatIsMissingIsWrongData(TpcbExecutor.Form form) throws SQLException {
    TransactionExecutor executor = new TpcbExecutor(connection, form);
    assertThatThrownBy(() -> executor.execute(input(TpcbScript.TPCB_LIKE, 999, 5)))
        .isInstanceOf(WrongDataException.class);
    assertThatThrownBy(() -> executor.execute(input(TpcbScript.SELECT_ONLY, 999, 5)))
        .isInstanceOf(WrongDataException.class)
        .hasMessageContaining("account 999");
  }

  @ParameterizedTest
  @EnumSource(TpcbExecutor.Form.class)
  void anErrorLeavesNothing(TpcbExecutor.Form form) throws SQLException {
    try (Statement statement = observer.createStatement()) {
      statement.execute("ALTER TABLE pgbench_history ADD CHECK (delta < 100)");
    }
    TransactionExecutor executor = new TpcbExecutor(connection, form);
    assertThatThrownBy(() -> executor.execute(input(TpcbScript.TPCB_LIKE, 7, 100)))
        .isInstanceOf(SQLException.class);
    if (!connection.getAutoCommit()) {
      connection.rollback();
    }
    executor.execute(input(TpcbScript.TPCB_LIKE, 7, 99));
    assertThat(sum("abalance", "accounts")).isEqualTo(99);
    assertThat(sum("bbalance", "branches")).isEqualTo(99);
  }

  @Test
  void tablesOfAnotherSizeAreRefusedWithTheRightOne() throws SQLException {
    assertThatThrownBy(() -> TpcbScale.pgbench(3).requireTables(connection))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "scale=3 does not fit the tables, which have 2 branches, 20 tellers and 200 accounts:"
                + " destroy and build");
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO pgbench_accounts VALUES (200000, 2, 0, '')");
    }
    assertThatThrownBy(() -> TpcbScale.pgbench(3).requireTables(connection))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("200000 accounts: set scale=2, or destroy and build");
    TpcbScale.pgbench(2).requireTables(connection);
  }

  @Test
  void aMissingHistoryIsRefusedToThoseThatWriteIt() throws SQLException {
    OperationMix<TpcbScript> mix = SmallTpcb.mix("select-only@9, simple-update@1");
    TpcbScale.requireHistory(mix, connection);
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE pgbench_history");
    }
    assertThatThrownBy(() -> TpcbScale.requireHistory(mix, connection))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("the database has no pgbench_history, into which");
    TpcbScale.requireHistory(SmallTpcb.mix("no-history, select-only"), connection);
  }

  @Test
  void tablesWithoutPrimaryKeysAreRefused() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("ALTER TABLE pgbench_tellers DROP CONSTRAINT pgbench_tellers_pkey");
    }
    assertThatThrownBy(() -> SmallTpcb.SCALE.requireTables(connection))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("pgbench_tellers has no primary key");
  }

  @Test
  void aMissingFunctionIsNamedWithItsScript() throws SQLException {
    TpcbScale.requireFunction(connection);
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP FUNCTION shardmark_tpcb");
    }
    assertThatThrownBy(() -> TpcbScale.requireFunction(connection))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("shardmark_tpcb; this installs it")
        .hasMessageEndingWith("functionCreates");
  }
}
