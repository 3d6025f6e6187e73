package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.shardmark.proxy.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every fault at every step of a commit over two shards, under a load of transfers, with the real
 * proxy in its own process. The steps are found on the wire: relays between clients, proxy and
 * shards hold the message of the step while the fault is made, so a case that passes has had its
 * fault there.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FaultMatrixTest {
  private static final int CLIENTS = 4;
  private static final int PROGRESS = 2 * CLIENTS;
  private static final int VAIN_TRIES = 3;
  private static final Set<CommitPoint> TWO_RECOVER_AT =
      Set.of(
          CommitPoint.DECISION_UNDELIVERED,
          CommitPoint.DECISION_DONE_UNANSWERED,
          CommitPoint.COMMIT_PREPARED_UNDELIVERED);

  private final Trap trap = new Trap();
  private final List<ProxyProcess> proxies = new ArrayList<>();
  private final List<String> table =
      new ArrayList<>(
          List.of(
              "| step | fault | transfer | client was told | both shards say |", "|-|-|-|-|-|"));
  private Path directory;
  private Cluster cluster;
  private Relay clientLink;
  private BankLoad load;
  private boolean failed;

  @BeforeAll
  void startCluster(@TempDir Path temporary)
      throws IOException, SQLException, InterruptedException {
    directory = temporary;
    cluster = new Cluster(trap);
    startProxy();
    clientLink = new Relay("client", () -> newest().port(), trap);
    String url =
        "jdbc:postgresql://127.0.0.1:"
            + clientLink.port()
            + "/bench?preferQueryMode=simple&sslmode=disable&socketTimeout=60";
    load = new BankLoad(url, CLIENTS, List.of(cluster.accounts(0), cluster.accounts(1)));
    load.start();
  }

  private void startProxy() throws IOException, InterruptedException {
    ProxyProcess proxy = ProxyProcess.start(directory, cluster.proxyConfig());
    synchronized (proxies) {
      proxies.add(proxy);
    }
  }

  private ProxyProcess newest() {
    synchronized (proxies) {
      return proxies.get(proxies.size() - 1);
    }
  }

  private void killProxies() {
    synchronized (proxies) {
      proxies.forEach(ProxyProcess::killHard);
    }
  }

  @AfterAll
  void end() throws IOException {
    if (load != null) {
      load.close();
    }
    killProxies();
    if (clientLink != null) {
      clientLink.close();
    }
    cluster.close();
    String text = String.join("\n", table) + "\n";
    System.out.println(text);
    Files.createDirectories(Path.of("target"));
    Files.writeString(Path.of("target", "fault-matrix.md"), text);
  }

  @TestFactory
  Stream<DynamicTest> everyFaultAtEveryStep() {
    List<DynamicTest> tests = new ArrayList<>();
    for (CommitPoint point : CommitPoint.values()) {
      for (Fault fault : Fault.values()) {
        // Two that recover do what one does.
        Fault otherKill =
            TWO_RECOVER_AT.contains(point) ? Fault.KILL_PROXY : Fault.KILL_PROXY_TWO_RECOVER;
        if (fault != otherKill) {
          tests.add(DynamicTest.dynamicTest(fault + " at " + point, () -> run(point, fault)));
        }
      }
    }
    return tests.stream();
  }

  private void run(CommitPoint point, Fault fault) throws Exception {
    // After a failure the cluster may stand still, and every case would wait for its limits.
    assumeThat(failed).as("a case before has failed").isFalse();
    failed = true;
    awaitProgress("before the fault");
    CompletableFuture<Trap.Catch> caught = trap.arm(point, held -> strike(fault, held));
    Trap.Catch evidence = Trap.await(caught);
    assertThat(evidence.point()).isEqualTo(point);
    repair(fault, evidence);
    awaitProgress("after the fault");
    load.pause();
    try {
      await("pg_prepared_xacts empty", () -> preparedNow().isEmpty());
      check();
      report(fault, evidence);
      failed = false;
    } finally {
      load.resume();
    }
  }

  /** Runs while the message of the step is held. */
  private Trap.Verdict strike(Fault fault, Trap.Catch held) {
    switch (fault) {
      case KILL_PROXY, KILL_PROXY_TWO_RECOVER -> {
        killProxies();
        return Trap.Verdict.DROP;
      }
      case KILL_PARTICIPANT, KILL_ANCHOR -> cluster.kill(struck(fault, held));
      case CUT_PARTICIPANT, CUT_ANCHOR -> cluster.link(struck(fault, held)).cut();
    }
    boolean own = held.relay().equals(cluster.link(struck(fault, held)).name());
    return own ? Trap.Verdict.DROP : Trap.Verdict.PASS;
  }

  /**
   * Index of the shard that a fault strikes; of two, the one that held the message or the other.
   */
  private int struck(Fault fault, Trap.Catch held) {
    boolean atAnchor = held.point().message() == CommitPoint.Message.DECISION;
    boolean wantsAnchor = fault == Fault.KILL_ANCHOR || fault == Fault.CUT_ANCHOR;
    // The client's messages show no shard; there the anchor may be either.
    int here = held.relay().equals("s1") ? 1 : 0;
    return atAnchor == wantsAnchor ? here : 1 - here;
  }

  private void repair(Fault fault, Trap.Catch evidence) throws IOException, InterruptedException {
    switch (fault) {
      case KILL_PROXY -> startProxy();
      case KILL_PROXY_TWO_RECOVER -> {
        CompletableFuture<Void> second = CompletableFuture.runAsync(this::startProxyUnchecked);
        startProxy();
        second.join();
      }
      case KILL_PARTICIPANT, KILL_ANCHOR -> cluster.restart(struck(fault, evidence));
      case CUT_PARTICIPANT, CUT_ANCHOR -> {
        Relay link = cluster.link(struck(fault, evidence));
        await("the proxy tries again in vain", () -> link.refusedCount() >= VAIN_TRIES);
        if (fault == Fault.CUT_PARTICIPANT
            && evidence.point().message() == CommitPoint.Message.COMMIT_PREPARED) {
          assertThat(load.told()).as("COMMIT waits").doesNotContainKey(evidence.transfer());
        }
        link.restore();
      }
    }
  }

  private void startProxyUnchecked() {
    try {
      startProxy();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void awaitProgress(String when) {
    int before = load.acknowledgedCount();
    await("transfers go on " + when, () -> load.acknowledgedCount() >= before + PROGRESS);
  }

  private List<String> preparedNow() {
    try {
      return cluster.prepared();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void await(String what, Callable<Boolean> isSo) {
    Await.until(
        what, () -> "prepared %s; last told %s".formatted(preparedNow(), load.lastTold()), isSo);
  }

  private void check() throws SQLException {
    long sum = 0;
    for (int shard = 0; shard < 2; shard++) {
      sum += Long.parseLong(cluster.query(shard, "SELECT sum(balance) FROM account").get(0));
      assertThat(
              cluster.query(
                  shard,
                  "SELECT id FROM account WHERE balance <> "
                      + Cluster.INITIAL_BALANCE
                      + " + coalesce((SELECT sum(amount) FROM transfer t WHERE t.id = account.id),"
                      + " 0)"))
          .as("accounts of shard %d whose balance is not that of their transfers", shard)
          .isEmpty();
    }
    assertThat(sum).isEqualTo((long) Cluster.ACCOUNTS * Cluster.INITIAL_BALANCE);
    Set<Integer> first = numbers(0);
    assertThat(numbers(1)).as("transfers on both shards").isEqualTo(first);
    for (Map.Entry<Integer, String> told : load.told().entrySet()) {
      if (told.getValue().equals(BankLoad.ACKNOWLEDGED)) {
        assertThat(first).as("acknowledged").contains(told.getKey());
      } else if (BankLoad.isRefused(told.getValue())) {
        assertThat(first).as("told %s", told.getValue()).doesNotContain(told.getKey());
      }
    }
  }

  private Set<Integer> numbers(int shard) throws SQLException {
    List<String> all = cluster.query(shard, "SELECT number FROM transfer");
    Set<Integer> numbers = new TreeSet<>();
    all.forEach(number -> numbers.add(Integer.valueOf(number)));
    assertThat(numbers).as("no transfer twice on shard %d", shard).hasSameSizeAs(all);
    return numbers;
  }

  private void report(Fault fault, Trap.Catch evidence) throws SQLException {
    boolean there = numbers(0).contains(evidence.transfer());
    table.add(
        "| %s | %s | %d | %s | %s |"
            .formatted(
                evidence.point(),
                fault,
                evidence.transfer(),
                load.told().getOrDefault(evidence.transfer(), "nothing"),
                there ? "committed" : "rolled back"));
  }
}
