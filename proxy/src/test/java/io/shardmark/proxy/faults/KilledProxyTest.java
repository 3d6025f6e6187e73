package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.Await;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a proxy leaves that is killed between PREPARE and the decision, with intervals so long that
 * no run of recovery by the clock comes into it; and what the others do while one is stopped.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class KilledProxyTest {
  private final Trap trap = new Trap();
  @TempDir private Path directory;
  private Cluster cluster;
  private @Nullable ProxyProcess living;

  @BeforeAll
  void startShards() throws Exception {
    cluster = new Cluster(trap);
  }

  @AfterAll
  void stopShards() {
    endLiving();
    cluster.close();
  }

  /** Whatever a test before has done or left. */
  @BeforeEach
  void asNew() throws SQLException {
    for (int shard = 0; shard < 2; shard++) {
      for (String gid : cluster.query(shard, "select gid from pg_prepared_xacts")) {
        cluster.execute(shard, "rollback prepared '%s'".formatted(gid));
      }
      cluster.execute(
          shard,
          "drop table if exists moved cascade; update account set balance = "
              + Cluster.INITIAL_BALANCE);
    }
  }

  /** No proxy is running from now on, and the next one finds shards that no proxy has seen. */
  private void forgetProxies() throws SQLException {
    endLiving();
    for (int shard = 0; shard < 2; shard++) {
      cluster.execute(shard, "drop schema if exists shardmark cascade");
    }
  }

  private String config(String recoveryInterval) {
    return cluster
        .proxyConfig()
        .replace("recovery_interval: 1s", "recovery_interval: " + recoveryInterval);
  }

  /** One for all tests in which another is killed or stopped, with the longest interval. */
  private ProxyProcess living() throws Exception {
    if (living == null) {
      living = start("10min");
    }
    return living;
  }

  private void endLiving() {
    if (living != null) {
      living.close();
      living = null;
    }
  }

  private ProxyProcess start(String recoveryInterval) throws Exception {
    return ProxyProcess.start(directory, config(recoveryInterval));
  }

  /** Kills it at that point, while something is prepared that another proxy would finish. */
  private CompletableFuture<Trap.Catch> killAt(CommitPoint point, ProxyProcess proxy) {
    return trap.arm(
        point,
        held -> {
          assertThat(cluster.prepared()).as("prepared when the proxy is killed").hasSize(1);
          proxy.killHard();
          return Trap.Verdict.DROP;
        });
  }

  /** Kills it when its client's transaction is prepared and the decision on its way. */
  private void killBetweenPrepareAndDecision(ProxyProcess proxy) throws Exception {
    CompletableFuture<Trap.Catch> caught = killAt(CommitPoint.DECISION_UNDELIVERED, proxy);
    try (Connection client = connect(proxy);
        Statement statement = client.createStatement()) {
      statement.execute("begin");
      for (int shard = 0; shard < 2; shard++) {
        statement.execute(
            "update account set balance = 0 where id = " + cluster.accounts(shard).get(0));
      }
      assertThatThrownBy(() -> statement.execute("commit")).isInstanceOf(SQLException.class);
    }
    Trap.await(caught);
  }

  private void assertFinished() throws Exception {
    Await.until("nothing is prepared", () -> cluster.prepared().isEmpty());
    for (int shard = 0; shard < 2; shard++) {
      assertThat(cluster.query(shard, "select id from account where balance = 0")).isEmpty();
    }
  }

  @Test
  void aLivingProxyFinishesWhatItLeft() throws Exception {
    ProxyProcess other = living();
    try (ProxyProcess killed = start("10min")) {
      killBetweenPrepareAndDecision(killed);
      assertFinished();
      assertThat(other.isListening()).isTrue();
    }
  }

  private static Connection connect(ProxyProcess proxy) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:%d/bench?preferQueryMode=simple&sslmode=disable"
            .formatted(proxy.port()),
        "bench",
        "bench");
  }

  private static void make(Statement statement, int firstShard) throws SQLException {
    statement.execute("create table moved (id int primary key) partition by hash (id)");
    for (int part = 0; part < 2; part++) {
      statement.execute(
          "create table moved_%1$d partition of moved for values with (modulus 2, remainder %1$d)"
                  .formatted(part)
              + " with (shard = %d)".formatted(1 + (firstShard + part) % 2));
    }
    statement.execute("insert into moved select g from generate_series(1, 20) g");
  }

  /** Killed at that point of a COMMIT that moves a table, with its answer or request dropped. */
  @ParameterizedTest
  @EnumSource(
      names = {"DECISION_UNDELIVERED", "DECISION_DONE_UNANSWERED", "COMMIT_PREPARED_UNDELIVERED"})
  void anotherProxyAnswersByTheMapThatTheKilledOneLeft(CommitPoint point) throws Exception {
    try (ProxyProcess killed = start("10min");
        Connection reader = connect(living());
        Statement read = reader.createStatement()) {
      try (Connection owner = connect(killed);
          Statement statement = owner.createStatement()) {
        make(statement, 0);
        CompletableFuture<Trap.Catch> caught = killAt(point, killed);
        move(statement);
        assertThatThrownBy(() -> statement.execute("commit")).isInstanceOf(SQLException.class);
        Trap.await(caught);
      }
      assertEachIsFound(read);
      assertThat(cluster.prepared()).as("when the table could be read").isEmpty();
    }
  }

  /** Each row by its own, which is on one shard. */
  private static void assertEachIsFound(Statement read) throws SQLException {
    for (int id = 1; id <= 20; id++) {
      try (ResultSet row = read.executeQuery("select count(*) from moved where id = " + id)) {
        assertThat(row.next()).isTrue();
        assertThat(row.getInt(1)).as("rows of %d", id).isEqualTo(1);
      }
    }
  }

  private static void move(Statement statement) throws SQLException {
    statement.execute("begin");
    statement.execute("drop table moved");
    make(statement, 1);
  }

  @Test
  void noTableIsMovedWhileAnotherProxyIsStopped() throws Exception {
    try (ProxyProcess stopped = start("10min");
        Connection owner = connect(living());
        Statement statement = owner.createStatement();
        Connection reader = connect(stopped);
        Statement read = reader.createStatement()) {
      make(statement, 0);
      assertEachIsFound(read);
      stopped.signal("STOP");
      move(statement);
      assertThatThrownBy(() -> statement.execute("commit"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55P03"));
      assertEachIsFound(statement);
      stopped.signal("CONT");
      assertEachIsFound(read);
      move(statement);
      statement.execute("commit");
      assertEachIsFound(read);
    }
  }

  /** Stopped at that point of its COMMIT: whatever was on its way arrives. */
  @ParameterizedTest
  @EnumSource(names = {"DECISION_UNDELIVERED", "COMMIT_PREPARED_UNDELIVERED"})
  void aMoveOfAStoppedProxyIsFinishedByAnother(CommitPoint point) throws Exception {
    forgetProxies();
    // So long that neither is held up until the other acts for it.
    try (ProxyProcess stopped = start("5s");
        ProxyProcess living = start("5s");
        Connection owner = connect(stopped);
        Statement statement = owner.createStatement();
        Connection reader = connect(living);
        Statement read = reader.createStatement()) {
      make(statement, 0);
      assertEachIsFound(read);
      CompletableFuture<Trap.Catch> caught =
          trap.arm(
              point,
              held -> {
                stopped.signal("STOP");
                return Trap.Verdict.PASS;
              });
      move(statement);
      CompletableFuture<Boolean> commit =
          CompletableFuture.supplyAsync(() -> isCommitted(statement));
      Trap.await(caught);
      assertEachIsFound(read);
      assertThat(commit.isDone()).as("answered by a proxy that is stopped").isFalse();
      stopped.signal("CONT");
      assertThat(Await.result(commit)).isTrue();
      assertEachIsFound(statement);
    }
  }

  private static boolean isCommitted(Statement statement) {
    try {
      statement.execute("commit");
      return true;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void itFinishesWhatItLeftWhenItIsStartedAgain() throws Exception {
    forgetProxies();
    try (ProxyProcess killed = start("10min")) {
      killBetweenPrepareAndDecision(killed);
    }
    try (ProxyProcess again = start("10min")) {
      assertFinished();
      assertThat(again.isListening()).isTrue();
    }
  }

  @Test
  void aRowThatIsNoDecisionDoesNotEndRecovery() throws Exception {
    forgetProxies();
    try (ProxyProcess proxy = start("100ms")) {
      for (int shard = 0; shard < 2; shard++) {
        cluster.execute(
            shard,
            "alter table shardmark.decision drop constraint decision_pkey,"
                + " alter column gid drop not null;"
                + "insert into shardmark.decision values (null, false, now() - interval '1 day')");
      }
      // Twice: the first is finished by a run that may have begun before the row was there.
      for (int time = 0; time < 3; time++) {
        leaveWithoutCoordinator();
        assertFinished();
      }
      assertThat(proxy.isListening()).isTrue();
    }
    forgetProxies(); // that row was let in by a table without its key
  }

  /** What a proxy prepared that is dead: nothing on the shards shows it alive. */
  private void leaveWithoutCoordinator() throws SQLException {
    cluster.execute(
        0,
        "begin; update account set balance = 0 where id = %d;".formatted(cluster.accounts(0).get(0))
            + " prepare transaction 'shardmark:s1:0123456789abcdef:1:s0'");
  }
}
