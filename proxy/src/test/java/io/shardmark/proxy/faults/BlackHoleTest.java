package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
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

  /** When the link that swallows gives back what it has swallowed. */
  private enum FlowsWhen {
    TIMED_OUT,
    TOLD
  }

  /** What the client was told of a commit whose link is swallowed at that point, until flow. */
  private String commitInto(CommitPoint point, FlowsWhen when) throws Exception {
    AtomicInteger timeOutsBefore = new AtomicInteger();
    CompletableFuture<Trap.Catch> caught =
        trap.arm(
            point,
            held -> {
              link(held).stall();
              timeOutsBefore.set(timeOuts());
              return Trap.Verdict.PASS;
            });
    CompletableFuture<String> told = transferTo(caught);
    Relay stalled = link(Trap.await(caught));
    await(
        "the link may flow",
        () ->
            switch (when) {
              case TIMED_OUT -> timeOuts() > timeOutsBefore.get();
              case TOLD -> told.isDone();
            },
        told);
    stalled.flow();
    String answer = Await.result(told);
    await("nothing is prepared", () -> cluster.prepared().isEmpty(), told);
    assertThat(proxy.logText()).contains(TIMED_OUT);
    assertThat(numbers(0)).as("both shards agree").isEqualTo(numbers(1));
    return answer;
  }

  /** On a machine that stands still a commit can be given up before it comes to the trap. */
  private CompletableFuture<String> transferTo(CompletableFuture<Trap.Catch> caught) {
    while (true) {
      number++;
      int timeOutsBefore = timeOuts();
      CompletableFuture<String> told = CompletableFuture.supplyAsync(this::transfer);
      await("it comes to the trap", () -> caught.isDone() || told.isDone(), told);
      if (caught.isDone() || timeOuts() == timeOutsBefore) {
        return told;
      }
    }
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
      SQLWarning warning = statement.getWarnings();
      return warning == null ? "COMMIT" : "COMMIT, " + warning.getMessage();
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  private List<String> numbers(int shard) throws SQLException {
    return cluster.query(shard, "SELECT number FROM transfer ORDER BY number");
  }

  private boolean isThere() throws SQLException {
    return numbers(0).contains(Integer.toString(number));
  }

  private int timeOuts() {
    String log = proxy.logText();
    return (log.length() - log.replace(TIMED_OUT, "").length()) / TIMED_OUT.length();
  }

  private void await(String what, Callable<Boolean> condition, CompletableFuture<String> told) {
    Await.until(what, () -> told + proxy.logTail(), condition);
  }

  @Test
  void prepareThatIsSwallowedFailsTheCommit() throws Exception {
    assertThat(commitInto(CommitPoint.PREPARE_UNDELIVERED, FlowsWhen.TIMED_OUT)).isEqualTo("08006");
    assertThat(isThere()).isFalse();
  }

  @Test
  void prepareWhoseAnswerIsSwallowedIsRolledBack() throws Exception {
    assertThat(commitInto(CommitPoint.PREPARE_DONE_UNANSWERED, FlowsWhen.TIMED_OUT))
        .isEqualTo("08006");
    assertThat(isThere()).isFalse();
  }

  @Test
  void decisionWhoseAnswerIsSwallowedIsLearntOnAnotherLink() throws Exception {
    assertThat(commitInto(CommitPoint.DECISION_DONE_UNANSWERED, FlowsWhen.TIMED_OUT))
        .isEqualTo("COMMIT");
    assertThat(isThere()).isTrue();
  }

  @Test
  void decisionThatComesOutLateCommitsOrIsRefused() throws Exception {
    String told = commitInto(CommitPoint.DECISION_UNDELIVERED, FlowsWhen.TIMED_OUT);
    assertThat(told).isIn("COMMIT", "08006");
    assertThat(isThere()).isEqualTo(told.equals("COMMIT"));
  }

  @Test
  void commitPreparedThatIsSwallowedIsLeftToRecovery() throws Exception {
    assertThat(commitInto(CommitPoint.COMMIT_PREPARED_UNDELIVERED, FlowsWhen.TOLD))
        .matches("COMMIT, the transaction is committed, but shard s[01] does not show it yet");
    assertThat(isThere()).isTrue();
  }
}
