package io.shardmark.driver.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.TestProperties;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.guarantees.Guarantees;
import io.shardmark.driver.inventory.GuaranteeReader;
import io.shardmark.driver.isolation.ListTransaction.Access;
import io.shardmark.driver.isolation.ListTransaction.Action;
import io.shardmark.driver.servers.SharedPostgres;
import io.shardmark.sql.history.Anomaly.Phenomenon;
import io.shardmark.sql.jdbc.FirstValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The isolation workload on a real PostgreSQL. */
final class IsolationTest {
  private static final int TRANSACTIONS = 150;
  private static final int CLIENTS = 4;
  private static final Path SCRIPTS = Path.of("..", "sql", "isolation", "sql.common");

  @SuppressWarnings("NullAway.Init") // set before each test
  private String database;

  @BeforeEach
  void create() throws SQLException, IOException {
    database = SharedPostgres.newDatabase();
    try (Connection connection = SharedPostgres.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(Files.readString(SCRIPTS.resolve("tableCreates.sql")));
      statement.execute(Files.readString(SCRIPTS.resolve("indexCreates.sql")));
      statement.execute("INSERT INTO isolation_list SELECT generate_series(1, 100), ''");
    }
  }

  private static IsolationWorkload workload(String... lines) throws IOException {
    BenchmarkProperties properties =
        TestProperties.of(
            String.join("\n", lines),
            Map.of("workload", "isolation", "terminals", "4", "runMins", "1", "lists", "100"));
    return (IsolationWorkload)
        new IsolationBenchmark().open(Settings.of(new IsolationBenchmark(), properties));
  }

  private Connection connect(int level) throws SQLException {
    Connection connection = SharedPostgres.connect(database);
    connection.setTransactionIsolation(level);
    connection.setAutoCommit(false);
    return connection;
  }

  private int client(IsolationWorkload workload, int index, int level, CountDownLatch begin)
      throws SQLException, InterruptedException {
    int committed = 0;
    try (Connection connection = connect(level)) {
      TransactionExecutor executor = workload.newExecutor(connection);
      Terminal terminal = workload.newTerminal(index);
      begin.countDown();
      begin.await();
      for (int i = 0; i < TRANSACTIONS; i++) {
        try {
          committed += executor.execute(terminal.next()).committed() ? 1 : 0;
        } catch (SQLException e) {
          assertThat(e.getSQLState()).startsWith("40");
          connection.rollback();
        }
      }
    }
    return committed;
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE
      })
  void postgresHasNoAnomalyThatItsLevelExcludes(int level) throws Exception {
    IsolationWorkload workload = workload("listsInUse=4");
    Guarantees promised;
    try (Connection connection = connect(level)) {
      workload.prepare(connection);
      promised = GuaranteeReader.guarantees(connection, DatabaseKind.POSTGRES, Optional.empty());
    }
    CountDownLatch begin = new CountDownLatch(CLIENTS);
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    int committed = 0;
    try {
      List<Future<Integer>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int index = i;
        clients.add(threads.submit(() -> client(workload, index, level, begin)));
      }
      for (Future<Integer> client : clients) {
        committed += client.get();
      }
    } finally {
      threads.shutdown();
    }
    List<String> notes = new ArrayList<>();
    HistoryFollower follower = workload.judged(promised, () -> connect(level));
    follower.start(notes::add);
    follower.awaitRest(() -> false);

    assertThat(committed).isGreaterThan(TRANSACTIONS);
    assertThat(promised.anomalies()).isPresent();
    assertThat(notes).isEmpty();
    assertThat(follower.figures()).containsEntry("notPermitted", 0.0);
    assertThat(follower.found())
        .containsEntry("transactions in the history", Integer.toString(CLIENTS * TRANSACTIONS + 2));
    List<String> permitted =
        promised.anomalies().orElseThrow().stream().map(Phenomenon::label).toList();
    assertThat(follower.found().keySet().stream().filter(name -> !name.startsWith("transactions")))
        .isSubsetOf(permitted);
  }

  private static Guarantees serializable(Map<String, String> settings) {
    return Guarantees.of(DatabaseKind.POSTGRES, "serializable", settings);
  }

  private HistoryFollower judgeWriteSkew(Guarantees promised, List<String> notes) throws Exception {
    IsolationWorkload workload = workload();
    try (Connection first = connect(Connection.TRANSACTION_REPEATABLE_READ);
        Connection second = connect(Connection.TRANSACTION_REPEATABLE_READ)) {
      workload.prepare(first);
      // Write skew: each reads what the other one appends to.
      Access readOne = new Access(Action.READ, 1, 1);
      Access readTwo = new Access(Action.READ, 2, 2);
      TransactionExecutor inner = workload.newExecutor(second);
      TransactionExecutor outer =
          workload.newExecutor(
              new Interposed(
                      first,
                      () ->
                          inner.execute(
                              transaction(readOne, readTwo, new Access(Action.APPEND, 2, 2))))
                  .connection());
      outer.execute(transaction(readOne, readTwo, new Access(Action.APPEND, 1, 1)));
    }
    HistoryFollower follower =
        workload.judged(promised, () -> connect(Connection.TRANSACTION_REPEATABLE_READ));
    follower.start(notes::add);
    follower.awaitRest(() -> false);
    return follower;
  }

  @Test
  void whatTheLevelDoesNotPermitIsANoteWithItsStatements() throws Exception {
    List<String> notes = new ArrayList<>();
    HistoryFollower follower = judgeWriteSkew(serializable(Map.of("fsync", "on")), notes);

    assertThat(follower.figures())
        .containsEntry("notPermitted", 1.0)
        .containsEntry("anomaly_anti_dependency_cycle", 1.0);
    assertThat(notes)
        .containsExactly(
            "isolation: G2-item write skew: NOT PERMITTED at serializable, 1 found, the first:"
                + " T2 reads list 1 without the append of T3; T3 reads list 2 without the append"
                + " of T2 [T2: read list 1 = [], read list 2 = [], append 2 to list 2, committed;"
                + " T3: read list 1 = [], read list 2 = [], append 1 to list 1, committed]");
  }

  @Test
  void whereTheLevelIsNotKnownNothingIsCountedAsNotPermitted() throws Exception {
    List<String> notes = new ArrayList<>();
    HistoryFollower follower =
        judgeWriteSkew(serializable(Map.of("settings", "not readable: timeout")), notes);

    assertThat(follower.figures()).containsOnlyKeys("anomaly_anti_dependency_cycle", "lostAppends");
    assertThat(notes)
        .singleElement()
        .asString()
        .startsWith(
            "isolation: G2-item write skew: not known whether permitted at serializable, 1 found");
  }

  @Test
  void whatWasCommittedAndIsGoneIsLost() throws Exception {
    IsolationWorkload workload = workload();
    List<String> notes = new ArrayList<>();
    try (Connection connection = connect(Connection.TRANSACTION_READ_COMMITTED);
        Statement statement = connection.createStatement()) {
      workload.prepare(connection);
      TransactionExecutor executor = workload.newExecutor(connection);
      executor.execute(transaction(new Access(Action.APPEND, 1, 1)));
      executor.execute(transaction(new Access(Action.APPEND, 2, 2)));
      // As after the crash of a server that had not written it, or on a standby that lacks it.
      statement.execute("UPDATE isolation_list SET vals = '' WHERE id = 2");
      connection.commit();
    }
    HistoryFollower follower =
        workload.judged(
            Guarantees.of(DatabaseKind.POSTGRES, "read committed", Map.of("fsync", "on")),
            () -> connect(Connection.TRANSACTION_READ_COMMITTED));
    follower.start(notes::add);
    follower.awaitRest(() -> false);

    assertThat(follower.figures())
        .containsOnly(Map.entry("notPermitted", 0.0), Map.entry("lostAppends", 1.0));
    assertThat(notes)
        .containsExactly(
            "isolation: lost appends: 1 of acknowledged transactions, which survive a loss of"
                + " power, not the loss of a machine; the first: T3 appended 2 to list 2 and"
                + " committed, and is not in it at the end");
  }

  @Test
  void whatIsPreparedIsWaitedForBeforeItCountsAsLost() throws Exception {
    IsolationWorkload workload = workload();
    try (Connection connection = connect(Connection.TRANSACTION_READ_COMMITTED);
        Statement statement = connection.createStatement()) {
      workload.prepare(connection);
      TransactionExecutor executor =
          workload.newExecutor(
              new Interposed(connection, () -> statement.execute("PREPARE TRANSACTION 'isolation'"))
                  .connection());
      executor.execute(transaction(new Access(Action.APPEND, 1, 1)));
    }
    HistoryFollower follower =
        workload.judged(
            Guarantees.of(DatabaseKind.POSTGRES, "read committed", Map.of("fsync", "on")),
            () -> connect(Connection.TRANSACTION_SERIALIZABLE));
    Thread judge = new Thread(() -> follower.awaitRest(() -> false));
    judge.start();
    try (Connection connection = SharedPostgres.connect(database);
        Statement statement = connection.createStatement()) {
      while (FirstValue.number(
              connection,
              "SELECT count(*) FROM pg_locks WHERE NOT granted AND transactionid IS NOT NULL")
          == 0) {
        Thread.onSpinWait();
      }
      statement.execute("COMMIT PREPARED 'isolation'");
    }
    judge.join();

    assertThat(follower.figures())
        .containsOnly(Map.entry("notPermitted", 0.0), Map.entry("lostAppends", 0.0));
  }

  private static ListTransaction transaction(Access... accesses) {
    return new ListTransaction(
        ListType.READ_APPEND.transactionType(),
        List.of(accesses),
        ListTransaction.End.COMMIT,
        false);
  }

  @Test
  void whatEarlierRunsHaveLeftIsNoAnomaly() throws Exception {
    try (Connection connection = connect(Connection.TRANSACTION_READ_COMMITTED)) {
      IsolationWorkload before = workload();
      before.prepare(connection);
      before.newExecutor(connection).execute(transaction(new Access(Action.APPEND, 3, 3)));
      IsolationWorkload after = workload();
      after.prepare(connection);
      after
          .newExecutor(connection)
          .execute(transaction(new Access(Action.READ, 3, 3), new Access(Action.APPEND, 3, 3)));
      HistoryFollower follower =
          after.judged(
              serializable(Map.of("fsync", "on")),
              () -> connect(Connection.TRANSACTION_READ_COMMITTED));
      follower.awaitRest(() -> false);
      assertThat(follower.figures())
          .containsOnly(Map.entry("notPermitted", 0.0), Map.entry("lostAppends", 0.0));
    }
  }

  @Test
  void aTableOfAnotherSizeIsRefused() throws Exception {
    IsolationWorkload workload = workload();
    try (Connection connection = connect(Connection.TRANSACTION_READ_COMMITTED);
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM isolation_list WHERE id > 90");
      assertThatThrownBy(() -> workload.prepare(connection))
          .isInstanceOf(ConfigException.class)
          .hasMessage(
              "lists=100 does not fit the table, which has 90: set lists=90, or destroy and"
                  + " build");
    }
  }

  @Test
  void transactionsTakeListsInAscendingOrderAndEndWithTheHistory() throws Exception {
    IsolationWorkload workload = workload("listsInUse=5", "historyTransactions=2");
    Terminal terminal = workload.newTerminal(0);
    List<ListTransaction> drawn =
        Stream.generate(() -> (ListTransaction) terminal.next()).limit(300).toList();
    assertThat(drawn)
        .allSatisfy(
            one -> {
              List<Integer> lists = one.accesses().stream().map(Access::list).toList();
              assertThat(lists).isSorted().allMatch(list -> list >= 1 && list <= 5);
              assertThat(lists.stream().distinct().count()).isBetween(2L, 4L);
            });
    assertThat(drawn.stream().map(one -> one.type().name()).distinct())
        .containsExactlyInAnyOrder("READ", "APPEND", "READ_APPEND");
    assertThat(terminal.goesOn()).isTrue();
    try (Connection connection = connect(Connection.TRANSACTION_READ_COMMITTED)) {
      workload.prepare(connection);
      workload.newExecutor(connection).execute(drawn.get(0));
    }
    assertThat(terminal.goesOn()).isFalse();
  }

  @Test
  void aTextIsValuesWithACommaAfterEach() {
    assertThat(HistoryRecorder.values("")).isEmpty();
    assertThat(HistoryRecorder.values("4,17,")).containsExactly(4, 17);
  }
}
