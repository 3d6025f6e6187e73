package io.shardmark.proxy.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.commit.CommitFrame;
import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.GidSequence;
import io.shardmark.proxy.commit.Outcome;
import io.shardmark.proxy.commit.TransactionId;
import io.shardmark.proxy.shardmap.ShardSet;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RecoveryTest {
  private static final RecoveryOptions NOW =
      new RecoveryOptions(
          Duration.ofHours(1),
          Duration.ZERO,
          Duration.ofSeconds(5),
          Duration.ofMillis(500),
          Duration.ZERO);

  /** Leaves what another living proxy has prepared. */
  private static final RecoveryOptions PATIENT =
      new RecoveryOptions(
          NOW.interval(),
          Duration.ofHours(1),
          NOW.askLimit(),
          NOW.lockLimit(),
          NOW.keepDecisions());

  private final GidSequence coordinator = new GidSequence();
  private final GidSequence self = new GidSequence();
  private final BackgroundRunner runner = new BackgroundRunner();
  private TestShards shards;
  private Recovery recovery;

  /** What recovery has ended, and how. */
  private final Queue<Outcome> finished = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void createShards() throws SQLException {
    shards = TestShards.create(3);
    shards.execute("CREATE TABLE transfer (id int)");
    assertThat(DecisionTable.create(shards.all(), Set.of())).isEmpty();
    recovery = new Recovery(shards.all(), self, NOW, finished::add, report -> {}, runner);
  }

  @AfterEach
  void everythingIsFinished() throws SQLException {
    runner.close();
    assertThat(shards.prepared()).isEmpty();
  }

  /** Runs a commit up to a step; the anchor is s2. */
  private void crashAt(Gid gid, String step) throws SQLException {
    crashAt(gid, ShardSet.EMPTY, step);
  }

  private void crashAt(Gid gid, ShardSet last, String step) throws SQLException {
    List<String> seen = new ArrayList<>();
    try (JdbcCoordinator commit =
        new JdbcCoordinator(
            gid,
            shards.all(),
            last,
            now -> {
              seen.add(now);
              if (now.equals(step)) {
                throw new JdbcCoordinator.Crash();
              }
            })) {
      assertThatThrownBy(() -> commit.commit("INSERT INTO transfer VALUES (1)"))
          .isInstanceOf(JdbcCoordinator.Crash.class);
    }
    assertThat(seen).as("the crash came at").endsWith(step);
  }

  private List<String> counts() throws SQLException {
    List<String> counts = new ArrayList<>();
    for (ShardAccess shard : shards.all()) {
      counts.addAll(TestShards.query(shard, "SELECT count(*) FROM transfer"));
    }
    return counts;
  }

  @ParameterizedTest
  @CsvSource({
    "before prepare 0, 0, 0",
    "after prepare 0, 1, 0",
    "before prepare 1, 1, 0",
    "after prepare 1, 2, 0",
    "before decide 2, 2, 0",
    "after decide 2, 2, 1",
    "before commit prepared 0, 2, 1",
    "after commit prepared 0, 1, 1",
    "before commit prepared 1, 1, 1",
    "after commit prepared 1, 0, 1",
    "before answer 0, 0, 1",
  })
  void finishesWhatACrashLeft(String step, int left, String rows) throws SQLException {
    Gid gid = coordinator.next(List.of("s2"));
    crashAt(gid, step);
    assertThat(shards.prepared()).as("prepared after the crash").hasSize(left);
    String decided = rows.equals("1") ? "committed" : "";
    assertThat(recovery.outcome(gid.text()).join())
        .as("before recovery")
        .isEqualTo(decided.isEmpty() && left > 0 ? "in progress" : decided);
    RecoveryReport report = recovery.run();
    assertThat(finished).hasSize(left);
    assertThat(report.inDoubt()).isEmpty();
    assertThat(counts()).containsOnly(rows);
    assertThat(recovery.outcome(gid.text()).join())
        .as("after recovery")
        .isEqualTo(decided.isEmpty() && left > 0 ? "aborted" : decided);
  }

  @Test
  void knowsHowTheTransactionOfANumberEnds() throws Exception {
    assertThat(outcomeOf("COMMIT")).isEqualTo("committed");
    assertThat(outcomeOf("ROLLBACK")).isEqualTo("aborted");
    // Prepared is not ended, whoever has it.
    assertThat(outcomeOf("PREPARE TRANSACTION 'anybody'")).isEqualTo("in progress");
    TestShards.execute(shards.shard(1), "ROLLBACK PREPARED 'anybody'");
    assertThatThrownBy(recovery.outcome("s9:1")::join).hasMessageContaining("no shard s9");
    assertThatThrownBy(recovery.outcome("s1:999999999999")::join)
        .hasMessageContaining("is in the future");
  }

  private String outcomeOf(String end) throws SQLException {
    try (Connection client = shards.shard(1).open();
        Statement statement = client.createStatement()) {
      statement.execute("BEGIN; INSERT INTO transfer VALUES (1)");
      String id =
          new TransactionId(
                  "s1",
                  ShardSql.rows(client, "SELECT txid_current()", row -> row.getLong(1)).get(0))
              .text();
      assertThat(recovery.outcome(id).join()).isEqualTo("in progress");
      statement.execute(end);
      return recovery.outcome(id).join();
    }
  }

  @Test
  void leavesWhatASessionIsCommittingAlone() throws SQLException {
    Gid gid = self.next(List.of("s2"));
    crashAt(gid, "before decide 2");
    recovery.run();
    assertThat(finished).isEmpty();
    assertThat(shards.prepared()).hasSize(2);
    self.release(gid);
    recovery.run();
    assertThat(finished).containsExactly(Outcome.ABORTED, Outcome.ABORTED);
  }

  @Test
  void leavesAYoungOneOfALivingProxyAloneButNotItsOwn() throws SQLException {
    Gid own = self.next(List.of("s2"));
    self.release(own);
    Gid other = coordinator.next(List.of("s2"));
    crashAt(own, "before decide 2");
    crashAt(other, "before decide 2");
    Recovery patient =
        new Recovery(shards.all(), self, PATIENT, finished::add, report -> {}, runner);
    // On one shard is enough: it may have lost the connections to the others.
    try (ShardSession living = ShardSession.open(shards.shard(1), NOW.lockLimit())) {
      living.show(coordinator.incarnation());
      patient.run();
      assertThat(finished).containsExactly(Outcome.ABORTED, Outcome.ABORTED);
      assertThat(shards.prepared()).containsOnly(other.textFor("s0"), other.textFor("s1"));
      assertThat(living.livingProxies()).contains(coordinator.incarnation());
    }
    // The connection has ended, and the proxy with it: nobody waits for the end of the hour.
    // Each part has an age of its own, so one run may find one old enough and the next the other.
    Await.until(
        "both are rolled back",
        () -> {
          patient.run();
          return shards.prepared().isEmpty();
        });
  }

  @Test
  void findsWhatADeadProxyLeftAndNotWhatALivingOneHas() throws Exception {
    Gid dead = new GidSequence().next(List.of("s2"));
    Gid living = coordinator.next(List.of("s2"));
    crashAt(living, "before decide 2");
    crashAt(dead, "before decide 2");
    Recovery asked = new Recovery(shards.all(), self, PATIENT, finished::add, report -> {}, runner);
    AbandonedTransactions abandoned =
        new AbandonedTransactions(shards.all(), self, PATIENT, asked::request, runner);
    try (ShardSession show = ShardSession.open(shards.shard(0), NOW.lockLimit())) {
      show.show(coordinator.incarnation());
      abandoned.start();
      Await.until("it is shown", () -> show.livingProxies().contains(self.incarnation()));
      assertThat(show.livingProxies()).contains(coordinator.incarnation());
      Await.until("the dead one's is finished", () -> !isPrepared(dead));
      assertThat(shards.prepared()).containsOnly(living.textFor("s0"), living.textFor("s1"));
    }
    Await.until("the other is finished", () -> !isPrepared(living));
    runner.close();
    abandoned.close();
  }

  @Test
  void commitsForSessionsThatHaveLostTheirConnections() throws Exception {
    Gid gid = self.next(List.of("s2"));
    crashAt(gid, "before commit prepared 0");
    AtomicInteger refusals = new AtomicInteger(3);
    ShardAccess refusing =
        new ShardAccess() {
          @Override
          public String name() {
            return "s0";
          }

          @Override
          public Connection open() throws SQLException {
            if (refusals.getAndDecrement() > 0) {
              throw new SQLException("not yet");
            }
            return shards.shard(0).open();
          }
        };
    Recovery asked =
        new Recovery(
            List.of(refusing, shards.shard(1), shards.shard(2)),
            self,
            NOW,
            finished::add,
            report -> {},
            runner);
    Await.result(CompletableFuture.allOf(asked.commit(gid, "s1"), asked.commit(gid, "s0")));
    assertThat(refusals).hasNegativeValue();
    assertThat(counts()).containsOnly("1");
    // Somebody else may have been first.
    Await.result(asked.commit(gid, "s1"));
    assertThat(finished).containsExactly(Outcome.COMMITTED, Outcome.COMMITTED);
  }

  /** The locks of the transaction are on the first shard. */
  @Test
  void endsWhatHoldsLocksWhenOtherShardsShowItsRows() throws SQLException {
    Gid gid = coordinator.next(List.of("s2"));
    crashAt(gid, ShardSet.of(List.of(0)), "after decide 2");
    List<ShardAccess> oneDown = List.of(shards.shard(0), new DownShard("s1"), shards.shard(2));
    RecoveryReport held =
        new Recovery(oneDown, self, NOW, finished::add, report -> {}, runner).run();
    assertThat(finished).isEmpty();
    assertThat(held.inDoubt()).singleElement().extracting(InDoubt::shard).isEqualTo("s0");
    recovery.run();
    assertThat(finished).containsExactly(Outcome.COMMITTED, Outcome.COMMITTED);
    assertThat(counts()).containsOnly("1");
  }

  private boolean isPrepared(Gid gid) throws SQLException {
    return shards.prepared().stream().anyMatch(name -> name.startsWith(gid.text() + ":"));
  }

  @Test
  void asksForALostCommitAreAnsweredWhateverGoesWrong() throws Exception {
    ShardAccess broken =
        new ShardAccess() {
          @Override
          public String name() {
            return "s2";
          }

          @Override
          public Connection open() {
            throw new IllegalStateException("a fault of ours");
          }
        };
    Recovery blind =
        new Recovery(
            List.of(shards.shard(0), broken), self, NOW, finished::add, report -> {}, runner);
    assertThat(Await.result(blind.ask(self.next(List.of("s2"))))).isEqualTo(Outcome.UNKNOWN);
  }

  @Test
  void tellsACoordinatorThatComesTooLate() throws SQLException {
    List<String> seen = new ArrayList<>();
    try (JdbcCoordinator commit =
        new JdbcCoordinator(
            coordinator.next(List.of("s2")),
            shards.all(),
            now -> {
              seen.add(now);
              if (now.equals("before decide 2")) {
                recovery.run();
              }
            })) {
      assertThat(commit.commit("INSERT INTO transfer VALUES (1)")).isEqualTo(Outcome.ABORTED);
    }
    assertThat(seen).contains("before rollback prepared 0", "recover 0");
    assertThat(counts()).containsOnly("0");
  }

  @Test
  void waitsForACommitInFlight() throws SQLException {
    Gid gid = coordinator.next(List.of("s2"));
    crashAt(gid, "before decide 2");
    try (Connection anchor = shards.shard(2).open();
        Statement statement = anchor.createStatement()) {
      statement.execute("BEGIN");
      statement.execute("INSERT INTO transfer VALUES (1)");
      statement.execute(CommitSql.decideAndCommit(gid, CommitFrame.NONE).replace(";COMMIT", ""));
      RecoveryReport report = recovery.run();
      assertThat(report.inDoubt())
          .extracting(InDoubt::reason)
          .containsOnly("its commit is in flight on shard s2");
      assertThat(report.inDoubt()).extracting(InDoubt::shard).containsExactly("s0", "s1");
      statement.execute("COMMIT");
    }
    recovery.run();
    assertThat(finished).containsExactly(Outcome.COMMITTED, Outcome.COMMITTED);
    assertThat(counts()).containsOnly("1");
  }

  @Test
  void triesAgainWhenTheAnchorIsBack() throws SQLException {
    crashAt(coordinator.next(List.of("s2")), "after decide 2");
    List<ShardAccess> withoutAnchor =
        List.of(shards.shard(0), shards.shard(1), new DownShard("s2"));
    Recovery blind = new Recovery(withoutAnchor, self, NOW, finished::add, report -> {}, runner);
    RecoveryReport report = blind.run();
    assertThat(report.unreachable()).containsExactly("s2");
    assertThat(report.inDoubt())
        .extracting(InDoubt::reason)
        .containsOnly("shard s2, which decides, cannot be reached");
    assertThat(blind.inDoubt()).hasSize(2);
    recovery.run();
    assertThat(finished).containsExactly(Outcome.COMMITTED, Outcome.COMMITTED);
  }

  private record DownShard(String name) implements ShardAccess {
    @Override
    public Connection open() throws SQLException {
      throw new SQLException("down", "08001");
    }
  }

  @Test
  void neverFinishesWhatItDoesNotUnderstand() throws SQLException {
    List<String> strange =
        List.of(
            "shardmark:s2:0123456789abcdef:1",
            "shardmark:s9:0123456789abcdef:1:s0",
            "shardmark:s2:0123456789abcdef:1:s1",
            "somebody else");
    for (String name : strange) {
      TestShards.execute(
          shards.shard(0),
          "BEGIN; INSERT INTO transfer VALUES (1); PREPARE TRANSACTION '" + name + "'");
    }
    RecoveryReport report = recovery.run();
    assertThat(report.inDoubt())
        .extracting(InDoubt::reason)
        .containsExactlyInAnyOrder(
            "no proxy writes such a name",
            "no shard is called s9, which decides",
            "was prepared for shard s1");
    assertThat(shards.prepared()).hasSize(4);
    for (String name : strange) {
      TestShards.execute(shards.shard(0), "ROLLBACK PREPARED '" + name + "'");
    }
  }

  @ParameterizedTest
  @CsvSource({"before decide 2, ABORTED, 0", "after decide 2, COMMITTED, 1"})
  void asksTheAnchorForALostCommit(String step, Outcome outcome, String rows) throws SQLException {
    Gid gid = self.next(List.of("s2"));
    crashAt(gid, step);
    assertThat(recovery.ask(gid).join()).isEqualTo(outcome);
    assertThat(shards.prepared()).hasSize(2);
    self.release(gid);
    recovery.run();
    assertThat(counts()).containsOnly(rows);
  }

  @Test
  void doesNotTakeADeletedDecisionForNone() throws SQLException {
    Gid gid = self.next(List.of("s2"));
    crashAt(gid, "before answer 0");
    TestShards.execute(shards.shard(2), "DELETE FROM shardmark.decision");
    assertThat(recovery.ask(gid).join()).isEqualTo(Outcome.UNKNOWN);
    assertThat(TestShards.query(shards.shard(2), "SELECT gid FROM shardmark.decision")).isEmpty();
  }

  @Test
  void saysUnknownWhenTheAnchorStaysAway() {
    List<ShardAccess> down = List.of(shards.shard(0), shards.shard(1), new DownShard("s2"));
    RecoveryOptions impatient =
        new RecoveryOptions(
            NOW.interval(), NOW.grace(), Duration.ofMillis(300), NOW.lockLimit(), Duration.ZERO);
    Recovery blind = new Recovery(down, self, impatient, finished::add, report -> {}, runner);
    assertThat(blind.ask(self.next(List.of("s2"))).join()).isEqualTo(Outcome.UNKNOWN);
  }

  @Test
  void runsWhenItIsAsked() throws Exception {
    Gid gid = self.next(List.of("s2"));
    self.release(gid);
    crashAt(gid, "before decide 2");
    CompletableFuture<RecoveryReport> ran = new CompletableFuture<>();
    Recovery asked = new Recovery(shards.all(), self, NOW, finished::add, ran::complete, runner);
    asked.request();
    Await.result(ran);
    assertThat(finished).containsExactly(Outcome.ABORTED, Outcome.ABORTED);
  }

  @Test
  void createsTheTableOnceAndLetsRolesInsert() throws SQLException {
    TestShards.execute(
        shards.shard(0),
        "DO $$ BEGIN IF to_regrole('clerk') IS NULL THEN CREATE ROLE clerk; END IF; END $$");
    Set<String> roles = Set.of("clerk", "nobody of that name");
    assertThat(DecisionTable.create(shards.all(), roles)).isEmpty();
    assertThat(DecisionTable.create(shards.all(), roles)).isEmpty();
    try (Connection connection = shards.shard(1).open();
        Statement statement = connection.createStatement()) {
      statement.execute("GRANT clerk TO CURRENT_USER; SET ROLE clerk; BEGIN");
      statement.execute(
          CommitSql.decideAndCommit(coordinator.next(List.of("s1")), CommitFrame.NONE));
      assertThatThrownBy(() -> statement.execute("SELECT * FROM shardmark.decision"))
          .hasMessageContaining("permission denied");
    }
    assertThat(DecisionTable.create(List.of(new DownShard("s7")), roles))
        .isEqualTo(Map.of("s7", "down"));
  }

  @Test
  void tellsOfATableThatLetsTwoDecisionsStand() throws SQLException {
    TestShards.execute(
        shards.shard(1), "ALTER TABLE shardmark.decision DROP CONSTRAINT decision_pkey");
    assertThat(DecisionTable.create(shards.all(), Set.of()))
        .containsOnlyKeys("s1")
        .hasEntrySatisfying("s1", why -> assertThat(why).contains("no unique key on gid"));
  }

  @Test
  void finishesTransactionsOfRolesItIsAMemberOf() throws SQLException {
    TestShards.execute(
        shards.shard(0),
        "DO $$ BEGIN IF to_regrole('seller') IS NULL THEN CREATE ROLE seller; END IF; END $$;"
            + " GRANT seller TO CURRENT_USER; GRANT INSERT ON transfer TO seller");
    TestShards.execute(
        shards.shard(0),
        "SET ROLE seller; BEGIN; INSERT INTO transfer VALUES (1); "
            + CommitSql.prepare(coordinator.next(List.of("s2")), "s0", CommitFrame.NONE));
    RecoveryReport report = recovery.run();
    assertThat(finished).as("%s", report).containsExactly(Outcome.ABORTED);
  }

  /** PG18 §28.4 wal-async-commit: such a commit can be lost, a decision may not. */
  @Test
  void decidesDurablyEvenForAClientThatDoesNotCare() throws SQLException {
    try (Connection connection = shards.shard(2).open();
        Statement statement = connection.createStatement()) {
      statement.execute("SET synchronous_commit = off; BEGIN");
      statement.execute(
          CommitSql.decideAndCommit(coordinator.next(List.of("s2")), CommitFrame.NONE)
              .replace(
                  ";COMMIT",
                  "; SELECT set_config('test.seen', current_setting('synchronous_commit'),"
                      + " false);COMMIT"));
      try (var row =
          statement.executeQuery(
              "SELECT current_setting('test.seen'), current_setting('synchronous_commit')")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getString(1)).isEqualTo("on");
        assertThat(row.getString(2)).isEqualTo("off");
      }
    }
  }

  @Test
  void deletesOldDecisionsOnlyAfterTheTransactionsOpenThenHaveEnded() throws SQLException {
    crashAt(coordinator.next(List.of("s2")), "before decide 2");
    String count = "SELECT count(*) FROM shardmark.decision";
    try (Connection open = shards.shard(0).open()) {
      open.setAutoCommit(false);
      try (Statement statement = open.createStatement()) {
        statement.execute("SELECT 1");
      }
      recovery.run();
      recovery.clean();
      for (int run = 0; run < 3; run++) {
        assertThat(recovery.clean()).isZero();
      }
      assertThat(TestShards.query(shards.shard(2), count)).containsExactly("1");
      open.rollback();
    }
    // The server has transactions of its own (autovacuum), which may have been open then too.
    Await.until("a decision is deleted", () -> recovery.clean() == 1);
    assertThat(TestShards.query(shards.shard(2), count)).containsExactly("0");
  }

  @Test
  void keepsDecisionsWhileAShardIsAwayOrHoldsThemPrepared() throws SQLException {
    crashAt(coordinator.next(List.of("s2")), "before answer 0");
    Recovery blind =
        new Recovery(
            List.of(shards.shard(0), new DownShard("s1"), shards.shard(2)),
            self,
            NOW,
            finished::add,
            report -> {},
            runner);
    for (int run = 0; run < 3; run++) {
      assertThat(blind.clean()).isZero();
    }
    Gid held = self.next(List.of("s2"));
    crashAt(held, "after decide 2");
    Await.until("a decision is deleted", () -> recovery.clean() == 1);
    for (int run = 0; run < 4; run++) {
      assertThat(recovery.clean()).isZero();
    }
    assertThat(TestShards.query(shards.shard(2), "SELECT gid FROM shardmark.decision"))
        .containsExactly(held.text());
    self.release(held);
    recovery.run();
  }

  /** What that has prepared may need them. */
  @Test
  void keepsDecisionsWhileAShardCountsThatIsNotConfigured() throws SQLException {
    crashAt(coordinator.next(List.of("s2")), "before answer 0");
    TestShards.execute(
        shards.shard(0), "CREATE TABLE shardmark.addition (name text, position int, stage text)");
    TestShards.execute(
        shards.shard(0),
        "INSERT INTO shardmark.addition VALUES ('s1', 1, 'counts'), ('s9', 2, 'counts')");
    for (int run = 0; run < 5; run++) {
      assertThat(recovery.clean()).isZero();
    }
    TestShards.execute(
        shards.shard(0), "UPDATE shardmark.addition SET stage = 'making' WHERE name = 's9'");
    Await.until("a decision is deleted", () -> recovery.clean() == 1);
    TestShards.execute(shards.shard(0), "DROP TABLE shardmark.addition");
  }
}
