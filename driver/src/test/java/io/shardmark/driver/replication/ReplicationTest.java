package io.shardmark.driver.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.benchmark.CannotGoOnException;
import io.shardmark.driver.benchmark.Follower;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.WrongDataException;
import io.shardmark.driver.replication.StandbySettings.LogicalApply;
import io.shardmark.driver.verify.ConditionResult;
import io.shardmark.driver.verify.Verdict;
import io.shardmark.driver.verify.Verifier;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The workload on a primary with its standby: operations, counts, conditions, refusals. */
final class ReplicationTest {
  private static final int TABLES = 3;

  /** Transactions that a follower counts: so many that a late count is a small part of them. */
  private static final int FOLLOWED = 400;

  private static final int MOST_INTERVALS = 5;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Pair physical;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Pair logical;

  @BeforeAll
  static void start() throws SQLException, IOException {
    physical = Pair.start("physical&standbys=2&synchronous=all", TABLES);
    logical = Pair.start("logical&subscriptions=3", TABLES);
    // Subscribes to the tables.
    logical.workload(keys("insert")).follower(logical.endpoints()).orElseThrow().close();
  }

  @AfterAll
  static void stop() {
    physical.close();
    logical.close();
  }

  /** Not TRUNCATE: each subscription would apply it at a different time. */
  @BeforeEach
  void empty() throws SQLException {
    for (Pair pair : List.of(physical, logical)) {
      execute(pair, "DELETE FROM t1; DELETE FROM t2; DELETE FROM t3");
    }
  }

  private static void execute(Pair pair, String sql) throws SQLException {
    try (Connection connection = pair.connectPrimary();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Pair pair(String form) {
    return form.equals("physical") ? physical : logical;
  }

  private static Map<String, String> keys(String operations, String... more) {
    Map<String, String> keys =
        new java.util.HashMap<>(
            Map.of("tables", "3", "operations", operations, "statementsPerCommit", "5"));
    for (int i = 0; i < more.length; i += 2) {
      keys.put(more[i], more[i + 1]);
    }
    return keys;
  }

  /** Runs transactions of all four terminals in turn. */
  private static void run(Pair pair, ReplicationWorkload workload, int transactions)
      throws SQLException {
    try (Connection connection = pair.connectPrimary()) {
      connection.setAutoCommit(false);
      workload.prepare(connection);
      TransactionExecutor executor = workload.newExecutor(connection);
      List<Terminal> terminals = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        terminals.add(workload.newTerminal(i));
      }
      for (int i = 0; i < transactions; i++) {
        executor.execute(terminals.get(i % 4).next());
      }
    }
  }

  private static void run(Pair pair, String operations, int transactions) throws SQLException {
    run(pair, pair.workload(keys(operations)), transactions);
  }

  private static String ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return String.valueOf(row.getString(1));
    }
  }

  private static List<String> failed(Pair pair) throws Exception {
    ReplicationConditions conditions =
        new ReplicationConditions(new TableLayout(TABLES, 0, 5, 255));
    List<ConditionResult> results =
        new Verifier(pair::connectPrimary, DatabaseKind.POSTGRES, 1).run(conditions).results();
    assertThat(results).hasSize(2 * TABLES);
    return results.stream()
        .filter(result -> result.verdict() != Verdict.PASS)
        .map(ConditionResult::clause)
        .toList();
  }

  /**
   * Returns when the follower's thread has counted for the mark just given. Its looks publish new
   * figures; the first may be of a look that was under way, the second is of one behind the mark.
   */
  private static void awaitCounted(Follower follower) {
    for (int look = 0; look < 2; look++) {
      Map<String, Double> before = follower.recent();
      await().atMost(Duration.ofMinutes(1)).until(() -> follower.recent() != before);
    }
  }

  /**
   * The standby may be told to be behind at any time when whoever applies or looks gets no time.
   */
  private static boolean isOfASlowMachine(String note) {
    return note.contains("lags the primary by ") || note.contains("what it applied is not shown");
  }

  /** Figures of an interval with a run in it. */
  private static Map<String, Double> followed(
      Pair pair, ReplicationWorkload workload, Queue<String> notes) throws Exception {
    Follower follower = workload.follower(pair.endpoints()).orElseThrow();
    follower.start(notes::add);
    follower.beginInterval(System.nanoTime());
    awaitCounted(follower);
    run(pair, workload, FOLLOWED);
    follower.endInterval();
    follower.awaitRest(() -> false);
    follower.close();
    return follower.figures();
  }

  @ParameterizedTest
  @ValueSource(strings = {"physical", "logical"})
  void theStandbyIsCountedByTheSameRowsAsThePrimary(String form) throws Exception {
    Pair pair = pair(form);
    run(pair, "insert", 300);
    // Also: the standby has caught up, and is synchronous.
    Queue<String> notes = new ConcurrentLinkedQueue<>();
    int intervals = 0;
    Map<String, Double> figures = Map.of();
    // A count that came late leaves none, and says so. Each run has a workload, which reads the
    // rows.
    while (!figures.containsKey("appliedTps") && intervals < MOST_INTERVALS) {
      ReplicationWorkload workload =
          pair.workload(keys("insert, delete", "standbyCommit", "remote_apply"));
      figures = followed(pair, workload, notes);
      intervals++;
    }
    assertThat(notes).allMatch(ReplicationTest::isOfASlowMachine);
    assertThat(figures)
        .containsKeys("appliedTps", "appliedPercent", "drainedTps", "lagMaxBytes", "drainSeconds");
    assertThat(figures.get("drainedTps")).isPositive();
    assertThat(failed(pair)).isEmpty();
    assertThat(pair.servers().standbyUrls()).hasSize(form.equals("physical") ? 2 : 1);
    for (String url : pair.servers().standbyUrls()) {
      try (Connection primary = pair.connectPrimary();
          Connection standby = pair.endpoints().open(url)) {
        for (String table : List.of("t1", "t2", "t3")) {
          String rows =
              "SELECT coalesce(string_agg(r::text, '|' ORDER BY c1), '') FROM " + table + " r";
          assertThat(ask(standby, rows)).isEqualTo(ask(primary, rows)).isNotEmpty();
        }
        TableLayout layout = new TableLayout(TABLES, 0, 5, 255);
        long counted = new Positions(layout).read(primary);
        assertThat(counted).isEqualTo((300 + FOLLOWED * intervals) * 5L);
        assertThat(new Positions(layout).read(standby)).isEqualTo(counted);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DELETE FROM t1 WHERE c9 = 7 AND c1 < 8388608 | transactions t1",
        "UPDATE t1 SET c4 = 'x' WHERE c9 = 7 | rows t1",
        "UPDATE t2 SET c10 = NULL WHERE c9 = 7 | rows t2",
        "UPDATE t1 SET c9 = NULL WHERE c9 = 7 | rows t1",
      })
  void eachDamageIsFound(String damage, String clause) throws Exception {
    run(physical, "insert", 60);
    execute(physical, damage);
    assertThat(failed(physical)).containsExactly(clause);
  }

  @Test
  void whatWasDeletedIsGoneAndALaneKeepsItsLastTransaction() throws SQLException {
    run(physical, "insert", 24);
    assertThatThrownBy(() -> run(physical, "delete", 40))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("rows to delete and the run deletes about 200");
    ReplicationWorkload unlimited =
        physical.workload(keys("delete", "runMins", "1", "runTxnsPerTerminal", "0"));
    assertThatThrownBy(() -> run(physical, unlimited, 40))
        .isInstanceOf(CannotGoOnException.class)
        .hasMessageContaining("no rows left to delete");
    execute(physical, "TRUNCATE t1, t2, t3");
    assertThatThrownBy(() -> run(physical, unlimited, 1))
        .hasMessageStartingWith("the tables have too few rows to delete: expected at least 860");
  }

  /** Chance would use up any number of rows, since it adds and takes as many in the mean. */
  @Test
  void whereInsertsAreAsFrequentATerminalWithoutRowsInsertsSome() throws Exception {
    run(physical, "insert, delete", 400);
    assertThat(failed(physical)).isEmpty();
    try (Connection primary = physical.connectPrimary()) {
      assertThat(new Positions(new TableLayout(TABLES, 0, 5, 255)).read(primary))
          .isEqualTo(400 * 5L);
    }
  }

  @Test
  void aDeleteWhoseEndIsNotKnownIsSentAgainAndMayFindNothing() throws SQLException {
    run(physical, "insert", 60);
    ReplicationWorkload workload = physical.workload(keys("delete"));
    try (Connection connection = physical.connectPrimary()) {
      connection.setAutoCommit(false);
      workload.prepare(connection);
      Terminal terminal = workload.newTerminal(0);
      ReplicationTerminal.ReplicationInput first =
          (ReplicationTerminal.ReplicationInput) terminal.next();
      execute(physical, "DELETE FROM t1 WHERE c3 = " + first.firstId());
      TransactionExecutor executor = workload.newExecutor(connection);
      assertThatThrownBy(() -> executor.execute(first)).isInstanceOf(WrongDataException.class);
      connection.rollback();
      ReplicationTerminal.ReplicationInput again =
          (ReplicationTerminal.ReplicationInput) terminal.next();
      assertThat(again.firstId()).isEqualTo(first.firstId());
      executor.execute(again);
      assertThat(((ReplicationTerminal.ReplicationInput) terminal.next()).firstId())
          .isNotEqualTo(first.firstId());
    }
  }

  @Test
  void tablesOfOtherTransactionsAreRefused() throws SQLException {
    run(physical, "insert", 8);
    assertThatThrownBy(
            () ->
                run(
                    physical,
                    physical.workload(keys("insert", "rows", "0", "statementsPerCommit", "7")),
                    1))
        .hasMessageContaining("whose rows came 5 at a time: set statementsPerCommit=5");
    assertThatThrownBy(() -> run(physical, physical.workload(keys("insert", "textWidth", "10")), 1))
        .hasMessageContaining("whose texts are 255 wide: set textWidth=255");
  }

  @Test
  void standbysThatCannotBeUsedAreRefused() {
    assertThatThrownBy(
            () ->
                physical
                    .workload(keys("insert", "standbyConn", "jdbc:postgresql://127.0.0.1:1/x"))
                    .follower(physical.endpoints()))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("the standby jdbc:postgresql://127.0.0.1:1/x cannot be reached")
        .hasMessageNotContaining("\n");
    assertThatThrownBy(
            () ->
                physical
                    .workload(keys("insert", "standbyConn", physical.servers().jdbcUrl()))
                    .follower(physical.endpoints()))
        .hasMessageStartingWith("standbyConn names a server that follows no other");
    assertThatThrownBy(
            () ->
                physical
                    .workload(keys("insert", "logicalApply", "parallel"))
                    .follower(physical.endpoints()))
        .hasMessageStartingWith("logicalApply is for logical standbys");
    assertThatThrownBy(() -> StandbyCheck.requireParallelApply(LogicalApply.PARALLEL, 15))
        .hasMessage(
            "logicalApply=parallel needs PostgreSQL 16 or later on the standby, which is PostgreSQL 15: set logicalApply=serial");
    StandbyCheck.requireParallelApply(LogicalApply.SERIAL, 15);
    StandbyCheck.requireParallelApply(LogicalApply.PARALLEL, 16);
  }

  @Test
  void aStandbyThatGoesOnNoFurtherIsANoteAndItsFiguresAreMissing() throws Exception {
    run(logical, "insert", 8);
    ReplicationWorkload workload = logical.workload(keys("insert", "drainSecs", "5"));
    Follower follower = workload.follower(logical.endpoints()).orElseThrow();
    Queue<String> notes = new ConcurrentLinkedQueue<>();
    follower.start(notes::add);
    follower.beginInterval(System.nanoTime());
    awaitCounted(follower);
    try (Connection standby = logical.connectStandby();
        Statement statement = standby.createStatement()) {
      statement.execute("ALTER SUBSCRIPTION standby DISABLE");
      run(logical, workload, 8);
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> follower.recent().getOrDefault("standby_lag_bytes", 0.0) > 0);
      follower.endInterval();
      follower.awaitRest(() -> false);
      follower.close();
      statement.execute("ALTER SUBSCRIPTION standby ENABLE");
    }
    notes.removeIf(ReplicationTest::isOfASlowMachine);
    assertThat(follower.figures())
        .containsKeys("appliedTps", "lagMaxBytes")
        .doesNotContainKeys("drainSeconds", "drainedTps");
    assertThat(follower.figures().get("lagMaxBytes")).isBetween(1.0, 1e6);
    assertThat(notes).singleElement().asString().contains("statements were missing; look at");
  }

  /** On a full machine the interval has begun for a while when this is called. */
  @Test
  void countsOfAPartOfTheIntervalAreNotShown() throws Exception {
    ReplicationWorkload workload = physical.workload(keys("insert"));
    Follower follower = workload.follower(physical.endpoints()).orElseThrow();
    Queue<String> notes = new ConcurrentLinkedQueue<>();
    follower.start(notes::add);
    follower.beginInterval(System.nanoTime() - Duration.ofMinutes(10).toNanos());
    awaitCounted(follower);
    run(physical, workload, 8);
    follower.endInterval();
    follower.awaitRest(() -> false);
    follower.close();

    assertThat(follower.figures()).doesNotContainKeys("appliedTps");
    assertThat(notes).anyMatch(one -> one.endsWith("what it applied is not shown"));
  }

  @Test
  void aStandbyThatIsAwayIsOneNoteAndItsReturnAnother() throws Exception {
    try (Pair pair = Pair.start("physical", TABLES)) {
      ReplicationWorkload workload = pair.workload(keys("insert"));
      Follower follower = workload.follower(pair.endpoints()).orElseThrow();
      BlockingQueue<String> notes = new LinkedBlockingQueue<>();
      follower.start(notes::add);
      follower.beginInterval(System.nanoTime());
      pair.servers().standby().killHard();
      assertThat(takeEvent(notes)).startsWith("standby: cannot be observed until it answers again");
      run(pair, workload, 8);
      pair.servers().standby().restart();
      assertThat(takeEvent(notes)).isEqualTo("standby: answers again");
      follower.endInterval();
      follower.awaitRest(() -> false);
      follower.close();
      assertThat(notes).allMatch(ReplicationTest::isOfASlowMachine);
      assertThat(follower.figures().get("lagMaxMillis")).isPositive();
      assertThat(follower.figures()).containsKey("drainSeconds");
    }
  }

  private static String takeEvent(BlockingQueue<String> notes) throws InterruptedException {
    String note = notes.take();
    while (isOfASlowMachine(note)) {
      note = notes.take();
    }
    return note;
  }

  /** A transaction's rows go through one subscription; each of the three has some of the lanes. */
  @Test
  void severalSubscriptionsHaveSharesOfTheRows() throws SQLException {
    try (Connection primary = logical.connectPrimary()) {
      assertThat(ask(primary, "SELECT count(DISTINCT rowfilter) FROM pg_publication_tables"))
          .isEqualTo("3");
    }
    assertThatThrownBy(() -> StandbyCheck.requireWorkers(4, 4))
        .hasMessageStartingWith(
            "the standby has 4 subscriptions and max_logical_replication_workers=4: expected at least 5");
    StandbyCheck.requireWorkers(4, 5);
  }

  @Test
  void parallelApplyIsSetOnTheSubscription() throws SQLException {
    logical
        .workload(keys("insert", "logicalApply", "serial"))
        .follower(logical.endpoints())
        .orElseThrow()
        .close();
    String streaming = "SELECT string_agg(DISTINCT substream::text, '') FROM pg_subscription";
    try (Connection standby = logical.connectStandby()) {
      assertThat(ask(standby, streaming)).isEqualTo("f");
      logical
          .workload(keys("insert", "logicalApply", "parallel"))
          .follower(logical.endpoints())
          .orElseThrow()
          .close();
      assertThat(ask(standby, streaming)).isEqualTo("p");
    }
  }
}
