package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A link that swallows everything but stays open, at each step of a commit over two shards. What it
 * has swallowed comes out later: a statement of a commit that was given up long since.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BlackHoleTest {
  private static final int LIMIT_SECONDS = 60;
  private static final String TIMED_OUT = "within commit_timeout";

  private final Trap trap = new Trap();
  private Cluster cluster;
  private ProxyProcess proxy;
  private int number;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    cluster = new Cluster(trap);
    proxy = ProxyProcess.start(directory, cluster.proxyConfig() + "commit_timeout: 1s\n");
  }

  @AfterAll
  void end() {
    proxy.close();
    cluster.close();
  }

  /** What the client was told of a commit whose link is swallowed at that point, until flow. */
  private String commitInto(CommitPoint point, Predicate<CompletableFuture<String>> flowsWhen)
      throws Exception {
    number++;
    CompletableFuture<Trap.Catch> caught =
        trap.arm(
            point,
            held -> {
              link(held).stall();
              return Trap.Verdict.PASS;
            });
    CompletableFuture<String> told = CompletableFuture.supplyAsync(this::transfer);
    Relay stalled = link(Trap.await(caught, LIMIT_SECONDS));
    await("the link may flow", () -> flowsWhen.test(told), told);
    stalled.flow();
    String answer = told.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    await("nothing is prepared", () -> prepared().isEmpty(), told);
    assertThat(proxy.logText()).contains(TIMED_OUT);
    assertThat(numbers(0)).as("both shards agree").isEqualTo(numbers(1));
    return answer;
  }

  private Relay link(Trap.Catch held) {
    return cluster.link(held.relay().equals("s1") ? 1 : 0);
  }

  private String transfer() {
    String url = "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/bench?preferQueryMode=simple";
    try (Connection connection = DriverManager.getConnection(url, "bench", "bench");
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN");
      for (int shard = 0; shard < 2; shard++) {
        int account = cluster.accounts(shard).get(0);
        statement.execute("INSERT INTO transfer VALUES (" + account + ", " + number + ", 0)");
      }
      statement.execute("COMMIT");
      return "COMMIT";
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  private List<String> prepared() {
    try {
      return cluster.prepared();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<String> numbers(int shard) throws SQLException {
    return cluster.query(shard, "SELECT number FROM transfer ORDER BY number");
  }

  private boolean isThere() throws SQLException {
    return numbers(0).contains(Integer.toString(number));
  }

  /** The time-out of this commit, which is the latest. */
  private Predicate<CompletableFuture<String>> timedOut() {
    int before = timeOuts();
    return told -> timeOuts() > before;
  }

  private int timeOuts() {
    String log = proxy.logText();
    return (log.length() - log.replace(TIMED_OUT, "").length()) / TIMED_OUT.length();
  }

  private void await(String what, BooleanSupplier condition, CompletableFuture<String> told)
      throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)
          || never.await(20, TimeUnit.MILLISECONDS)) {
        throw new AssertionError(
            "not within " + LIMIT_SECONDS + " s: " + what + "; " + told + proxy.logTail());
      }
    }
  }

  @Test
  void prepareThatIsSwallowedFailsTheCommit() throws Exception {
    assertThat(commitInto(CommitPoint.PREPARE_UNDELIVERED, timedOut())).isEqualTo("08006");
    assertThat(isThere()).isFalse();
  }

  @Test
  void prepareWhoseAnswerIsSwallowedIsRolledBack() throws Exception {
    assertThat(commitInto(CommitPoint.PREPARE_DONE_UNANSWERED, timedOut())).isEqualTo("08006");
    assertThat(isThere()).isFalse();
  }

  @Test
  void decisionWhoseAnswerIsSwallowedIsLearntOnAnotherLink() throws Exception {
    assertThat(commitInto(CommitPoint.DECISION_DONE_UNANSWERED, timedOut())).isEqualTo("COMMIT");
    assertThat(isThere()).isTrue();
  }

  @Test
  void decisionThatComesOutLateCommitsOrIsRefused() throws Exception {
    String told = commitInto(CommitPoint.DECISION_UNDELIVERED, timedOut());
    assertThat(told).isIn("COMMIT", "08006");
    assertThat(isThere()).isEqualTo(told.equals("COMMIT"));
  }

  @Test
  void anchorThatStaysSilentLeavesTheOutcomeUnknown() throws Exception {
    String told = commitInto(CommitPoint.DECISION_DONE_UNANSWERED, CompletableFuture::isDone);
    assertThat(told).isEqualTo("08007");
    assertThat(isThere()).as("the decision had been made").isTrue();
  }

  @Test
  void commitPreparedThatIsSwallowedIsLeftToRecovery() throws Exception {
    assertThat(commitInto(CommitPoint.COMMIT_PREPARED_UNDELIVERED, CompletableFuture::isDone))
        .isEqualTo("COMMIT");
    assertThat(isThere()).isTrue();
  }
}
