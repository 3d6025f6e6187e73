package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.shardmark.proxy.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/**
 * Every number that the running proxy shows is made to move by the event that it is about. The last
 * case holds that none has been forgotten.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.SAME_THREAD)
final class EveryMetricTest {
  private static final Path DASHBOARD = Path.of("..", "config", "grafana-proxy.json");
  private static final int MAX_CLIENTS = 8;

  private final Trap trap = new Trap();
  private final Set<String> moved = new TreeSet<>();
  private Cluster cluster;
  private ProxyProcess proxy;
  private Relay clientLink;
  private int metricsPort;
  private int here;
  private int there;
  private boolean failed;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    cluster = new Cluster(trap);
    for (int shard = 0; shard < 2; shard++) {
      cluster.execute(
          shard,
          "CREATE TABLE once (id int UNIQUE DEFERRABLE INITIALLY DEFERRED) PARTITION BY HASH (id);"
              + "CREATE TABLE once_part PARTITION OF once FOR VALUES WITH (MODULUS 2, REMAINDER "
              + shard
              + ")");
    }
    here = cluster.accounts(0).get(0);
    there = cluster.accounts(1).get(0);
    proxy = ProxyProcess.start(directory, config("1min"));
    metricsPort = proxy.metricsPort();
    clientLink = new Relay("client", proxy::port, trap);
  }

  private String config(String poolWait) {
    return cluster.proxyConfig()
        + "metrics: 127.0.0.1:0\nmax_clients: "
        + MAX_CLIENTS
        + "\npool_size: 2\ndeadlock_interval: 200ms\ncatalog_interval: 500ms\n"
        + "admin_users: [bench]\ncommit_timeout: 5s\npool_wait_timeout: "
        + poolWait
        + "\n";
  }

  /** Short only as long as somebody is to be refused: a busy machine takes its time. */
  private void setPoolWait(String poolWait) throws Exception {
    proxy.rewrite(config(poolWait));
    String url =
        "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/shardmark?preferQueryMode=simple";
    try (Connection admin = DriverManager.getConnection(url, "bench", "bench")) {
      execute(admin, "RELOAD");
    }
  }

  @AfterAll
  void end() {
    clientLink.close();
    proxy.close();
    cluster.close();
  }

  private interface Event {
    void happen() throws Exception;
  }

  private static DynamicTest test(String name, Event event) {
    return DynamicTest.dynamicTest(name, event::happen);
  }

  @TestFactory
  Stream<DynamicTest> everyMetricIsFed() {
    return Stream.of(
            test("logins", this::logins),
            test("routes", this::routes),
            test("commits", this::commits),
            test("cancelled, pinned and broken off", this::sessions),
            test("pools", this::pools),
            test("lost servers", this::lostServers),
            test("deadlocks", this::deadlocks),
            test("recovery", this::recovery),
            test("unknown outcome", this::unknownOutcome),
            test("background tasks", this::backgroundTasks),
            test("nothing is left at zero", this::nothingIsLeft))
        .map(this::inOrder);
  }

  /** What comes after a failure would fail for its reason. */
  private DynamicTest inOrder(DynamicTest test) {
    return DynamicTest.dynamicTest(
        test.getDisplayName(),
        () -> {
          assumeThat(failed).as("a case before has failed").isFalse();
          failed = true;
          test.getExecutable().execute();
          failed = false;
        });
  }

  // ---- looking ----

  private Scrape scrape() throws Exception {
    return noted(Scrape.of(metricsPort));
  }

  private Scrape noted(Scrape scrape) {
    scrape
        .samples()
        .forEach(
            (name, value) -> {
              if (value > 0) {
                moved.add(name);
              }
            });
    return scrape;
  }

  /** The event makes all these numbers grow. */
  private void grow(Event event, String... names) throws Exception {
    Scrape before = scrape();
    event.happen();
    noted(
        Scrape.until(
            metricsPort,
            "greater: " + List.of(names),
            now -> Stream.of(names).allMatch(name -> now.value(name) > before.value(name))));
  }

  private void isSeen(String gauge) {
    noted(Scrape.until(metricsPort, gauge, now -> now.value(gauge) > 0));
  }

  private void isZero(String... gauges) {
    Scrape.until(
        metricsPort,
        "zero: " + List.of(gauges),
        now -> Stream.of(gauges).allMatch(gauge -> now.value(gauge) == 0));
  }

  // ---- clients ----

  private Connection connect(String... parameters) throws SQLException {
    return connectAs("bench", parameters);
  }

  private Connection connectAs(String password, String... parameters) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:%d/bench?%s"
            .formatted(proxy.port(), String.join("&", parameters)),
        "bench",
        password);
  }

  private static void execute(Connection connection, String... sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String one : sql) {
        statement.execute(one);
      }
    }
  }

  /** Each in a session of its own. */
  private void run(String... sql) throws SQLException {
    try (Connection connection = connect("preferQueryMode=simple")) {
      execute(connection, sql);
    }
  }

  private static String update(int id) {
    return "UPDATE account SET balance = balance + 1 WHERE id = " + id;
  }

  private interface Work {
    void run() throws SQLException, IOException, InterruptedException;
  }

  private static CompletableFuture<String> later(Work work) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            work.run();
            return "done";
          } catch (SQLException e) {
            return String.valueOf(e.getSQLState());
          } catch (IOException | InterruptedException e) {
            return String.valueOf(e);
          }
        });
  }

  // ---- the events ----

  private void logins() throws Exception {
    grow(
        () -> run("SELECT 1"),
        "shardmark_proxy_clients_accepted_total",
        "shardmark_proxy_logins_total{result=\"ok\"}",
        "shardmark_proxy_client_bytes_total{direction=\"in\"}",
        "shardmark_proxy_client_bytes_total{direction=\"out\"}");
    grow(
        () -> assertThatThrownBy(() -> connectAs("wrong")).hasMessageContaining("authentication"),
        "shardmark_proxy_logins_total{result=\"refused\"}");
    grow(
        () -> {
          try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(new byte[] {0, 0, 0, 1, 1, 1, 1, 1});
            out.flush();
            assertThat(socket.getInputStream().readAllBytes())
                .isEmpty(); // closed, as PostgreSQL does
          }
        },
        "shardmark_proxy_logins_total{result=\"failed\"}");
    grow(
        () -> {
          List<Connection> crowd = new ArrayList<>();
          isZero("shardmark_proxy_clients");
          try {
            for (int i = 0; i < MAX_CLIENTS; i++) {
              crowd.add(connect());
            }
            isSeen("shardmark_proxy_clients");
            assertThatThrownBy(this::connect).hasMessageContaining("too many clients");
          } finally {
            for (Connection one : crowd) {
              one.close();
            }
          }
        },
        "shardmark_proxy_logins_total{result=\"turned_away\"}");
    // Who comes before the proxy has seen them leave is turned away too.
    isZero("shardmark_proxy_clients");
  }

  private static String route(String name) {
    return "shardmark_proxy_statements_total{route=\"" + name + "\"}";
  }

  private void routes() throws Exception {
    grow(
        () -> run("CREATE TABLE everywhere (a int)"),
        route("ddl"),
        "shardmark_proxy_plan_lookups_total");
    grow(
        () -> run(update(here)),
        route("one_shard"),
        "shardmark_proxy_shard_statements_total",
        "shardmark_proxy_shard_bytes_in_total",
        "shardmark_proxy_shard_bytes_out_total",
        "shardmark_proxy_plans_made_total");
    grow(() -> run("SELECT 1"), route("any_shard"));
    grow(() -> run("SELECT count(*) FROM account"), route("merged"));
    grow(() -> run("UPDATE account SET balance = balance"), route("written_on_several"));
    grow(() -> run("INSERT INTO everywhere VALUES (1)"), route("reference_write"));
    grow(
        () -> run("INSERT INTO transfer VALUES (%d, 0, 0), (%d, 0, 0)".formatted(here, there)),
        route("split"));
    grow(
        () -> {
          try (Connection connection = connect()) {
            new CopyManager(connection.unwrap(BaseConnection.class))
                .copyIn("COPY transfer FROM STDIN", new StringReader("1\t0\t0\n2\t0\t0\n"));
          }
        },
        route("copy"));
    grow(() -> run("BEGIN", "ROLLBACK"), route("local"));
    grow(
        () ->
            assertThatThrownBy(() -> run("SELECT lastval() FROM account"))
                .isInstanceOf(SQLException.class),
        route("refused"));
    Scrape before = scrape();
    run("SELECT 1");
    assertThat(scrape().value("shardmark_proxy_plans_made_total"))
        .as("a known text is not planned again")
        .isEqualTo(before.value("shardmark_proxy_plans_made_total"));
    grow(
        () -> {
          try (Connection connection = connect("prepareThreshold=1")) {
            execute(connection, "SELECT 2");
          }
        },
        "shardmark_proxy_server_prepares_total");
  }

  private static String commits(String kind) {
    return "shardmark_proxy_commits_total{kind=\"" + kind + "\"}";
  }

  private static String phase(String name) {
    return "shardmark_proxy_commit_phase_seconds_count{phase=\"" + name + "\"}";
  }

  private void commits() throws Exception {
    grow(() -> run("BEGIN", update(here), "COMMIT"), commits("one_shard"));
    grow(
        () -> run("BEGIN", update(here), "SELECT count(*) FROM account", "COMMIT"),
        commits("one_writer"),
        phase("commit"));
    grow(
        () -> run("BEGIN", update(here), update(there), "COMMIT"),
        commits("two_phase"),
        phase("prepare"),
        phase("decide"),
        phase("commit_prepared"));
    grow(() -> run("BEGIN", update(here), "ROLLBACK"), "shardmark_proxy_rollbacks_total");
    Scrape before = scrape();
    String twice = "INSERT INTO once VALUES (%d), (%d)";
    grow(
        () ->
            assertThatThrownBy(
                    () ->
                        run(
                            "BEGIN",
                            twice.formatted(here, here),
                            twice.formatted(there, there),
                            "COMMIT"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("once"),
        "shardmark_proxy_commits_aborted_total");
    assertThat(scrape().value(commits("two_phase")))
        .as("a commit that fails is none")
        .isEqualTo(before.value(commits("two_phase")));
  }

  private void sessions() throws Exception {
    grow(
        () -> {
          try (Connection connection = connect();
              Statement statement = connection.createStatement()) {
            CompletableFuture<String> sleep = later(() -> statement.execute("SELECT pg_sleep(60)"));
            isSeen("shardmark_proxy_clients_active");
            // Before it has begun there is nothing to cancel.
            cluster.awaitRunning("SELECT pg_sleep(60)");
            statement.cancel();
            assertThat(sleep.join()).isEqualTo("57014");
          }
        },
        "shardmark_proxy_cancels_total");
    grow(
        () -> run("/* shardmark_shard: s0 */ CREATE TEMP TABLE mine (a int)"),
        "shardmark_proxy_sessions_pinned_total");
    grow(
        () -> {
          try (Connection quiet =
              DriverManager.getConnection(
                  "jdbc:postgresql://127.0.0.1:" + clientLink.port() + "/bench?sslmode=disable",
                  "bench",
                  "bench")) {
            assertThat(quiet.isValid(Await.LIMIT_SECONDS)).isTrue();
            clientLink.inject(new byte[] {'?', 0, 0, 0, 4});
            isSeen("shardmark_proxy_protocol_violations_total");
          }
        },
        "shardmark_proxy_protocol_violations_total");
  }

  private void pools() throws Exception {
    isSeen("shardmark_proxy_servers{state=\"idle\"}");
    try (Connection one = connect();
        Connection two = connect();
        Connection three = connect()) {
      execute(one, "BEGIN", update(here));
      execute(two, "BEGIN", update(cluster.accounts(0).get(1)));
      isSeen("shardmark_proxy_servers{state=\"active\"}");
      grow(
          () -> {
            CompletableFuture<String> waits = later(() -> execute(three, update(here)));
            isSeen("shardmark_proxy_clients_waiting");
            execute(one, "ROLLBACK");
            assertThat(waits.join()).isEqualTo("done");
            execute(one, "BEGIN", update(here));
            setPoolWait("1s");
            assertThat(later(() -> execute(three, update(here))).join()).isEqualTo("53300");
            setPoolWait("1min");
          },
          "shardmark_proxy_pool_waits_total",
          "shardmark_proxy_pool_timeouts_total",
          "shardmark_proxy_pool_wait_seconds_total",
          "shardmark_proxy_pool_wait_time_seconds_count");
    }
    isZero(
        "shardmark_proxy_clients_active",
        "shardmark_proxy_clients_waiting",
        "shardmark_proxy_servers{state=\"active\"}");
  }

  /** Two hold all connections of one shard, two those of the other, and each wants the other's. */
  private void circle() throws Exception {
    try (Connection one = connect();
        Connection two = connect();
        Connection three = connect();
        Connection four = connect()) {
      execute(one, "BEGIN", update(here));
      execute(two, "BEGIN", update(cluster.accounts(0).get(1)));
      execute(three, "BEGIN", update(there));
      execute(four, "BEGIN", update(cluster.accounts(1).get(1)));
      CompletableFuture<String> ofOne =
          later(() -> execute(one, update(cluster.accounts(1).get(2)), "ROLLBACK"));
      execute(three, update(cluster.accounts(0).get(2)), "ROLLBACK");
      assertThat(ofOne.join()).isEqualTo("done");
    }
  }

  /** One that is still starting up has no role yet, and only a superuser may end it. */
  private void endServers() throws SQLException {
    cluster.execute(
        0,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE usename = current_user AND pid <> pg_backend_pid()"
            + " AND application_name <> 'shardmark proxy'");
  }

  private void lostServers() throws Exception {
    grow(this::circle, "shardmark_proxy_pool_reserve_uses_total");
    grow(
        () -> {
          try (Connection connection = connect()) {
            execute(connection, "BEGIN", update(here));
            endServers();
            assertThatThrownBy(() -> execute(connection, update(here)))
                .isInstanceOf(SQLException.class);
          }
        },
        "shardmark_proxy_server_losses_total");
    endServers();
    // Else the proxy may not hear of their end, and say something to one of them.
    cluster.link(0).cut();
    cluster.link(0).restore();
    cluster.link(0).stall();
    CompletableFuture<String> late = later(() -> run(update(here)));
    isSeen("shardmark_proxy_servers{state=\"connecting\"}");
    cluster.link(0).flow();
    assertThat(late.join()).isIn("done", "53300");
    grow(() -> run(update(here)), "shardmark_proxy_shard_statements_total");
    endServers();
    grow(
        () -> {
          cluster.link(0).cut();
          assertThatThrownBy(() -> run(update(here))).isInstanceOf(SQLException.class);
        },
        "shardmark_proxy_server_login_failures_total",
        "shardmark_proxy_catalog_failures_total",
        "shardmark_proxy_recovery_failures_total");
    grow(
        () -> {
          cluster.link(0).restore();
          Await.until("it works", () -> later(() -> run(update(here))).join().equals("done"));
        },
        "shardmark_proxy_server_logins_total",
        "shardmark_proxy_catalog_reads_total");
  }

  private void deadlocks() throws Exception {
    try (Connection one = connect();
        Connection other = connect()) {
      execute(one, "BEGIN", update(here));
      execute(other, "BEGIN", update(there));
      grow(
          () -> {
            CompletableFuture<String> first = later(() -> execute(one, update(there)));
            CompletableFuture<String> second = later(() -> execute(other, update(here)));
            CompletableFuture.anyOf(first, second).join();
            execute(first.isDone() && first.join().equals("40P01") ? one : other, "ROLLBACK");
            assertThat(List.of(first.join(), second.join()))
                .containsExactlyInAnyOrder("40P01", "done");
          },
          "shardmark_proxy_deadlocks_broken_total");
    }
  }

  /** A commit over both shards, with something that happens at a step of it. */
  private String commitStruck(CommitPoint point, String gauge) throws Exception {
    List<Integer> cut = new ArrayList<>();
    CompletableFuture<Trap.Catch> caught =
        trap.arm(
            point,
            held -> {
              isSeen(gauge);
              int shard = held.relay().equals("s1") ? 1 : 0;
              cut.add(shard);
              cluster.link(cut.get(0)).cut();
              return Trap.Verdict.DROP;
            });
    CompletableFuture<String> told =
        later(() -> run("BEGIN", update(here), update(there), "COMMIT"));
    Trap.await(caught);
    String answer = told.join();
    cluster.link(cut.get(0)).restore();
    return answer;
  }

  private void recovery() throws Exception {
    String open = "shardmark_proxy_two_phase_commits_open";
    grow(
        () ->
            assertThat(commitStruck(CommitPoint.COMMIT_PREPARED_UNDELIVERED, open))
                .isEqualTo("done"),
        "shardmark_proxy_commits_left_to_recovery_total",
        "shardmark_proxy_recovered_transactions_total{outcome=\"committed\"}");
    grow(
        () ->
            assertThat(commitStruck(CommitPoint.PREPARE_DONE_UNANSWERED, open)).isEqualTo("08006"),
        "shardmark_proxy_recovered_transactions_total{outcome=\"rolled_back\"}");
    cluster.execute(
        0,
        "BEGIN; CREATE TABLE doubtful (a int);"
            + " PREPARE TRANSACTION 'shardmark:nobody:0123456789abcdef:1:s0'");
    isSeen("shardmark_proxy_transactions_in_doubt");
    cluster.execute(0, "ROLLBACK PREPARED 'shardmark:nobody:0123456789abcdef:1:s0'");
    isZero("shardmark_proxy_transactions_in_doubt");
  }

  private void unknownOutcome() throws Exception {
    grow(
        () ->
            assertThat(
                    commitStruck(
                        CommitPoint.DECISION_DONE_UNANSWERED,
                        "shardmark_proxy_two_phase_commits_open"))
                .isEqualTo("08007"),
        "shardmark_proxy_commits_unknown_total");
  }

  private void backgroundTasks() throws Exception {
    for (String task :
        List.of("recovery", "cleaning", "catalog", "deadlocks", "prepared s0", "prepared s1")) {
      grow(() -> {}, "shardmark_proxy_background_runs_total{task=\"" + task + "\"}");
      isSeen("shardmark_proxy_background_since_success_seconds{task=\"" + task + "\"}");
    }
  }

  private void nothingIsLeft() throws Exception {
    // Tasks that ran only at the start or after a reload, and errors that nobody expects.
    Set<String> exposed = new TreeSet<>(scrape().samples().keySet());
    exposed.removeIf(name -> name.startsWith("shardmark_proxy_background_"));
    // A bucket that no duration fell into is no fault.
    assertThat(exposed.stream().filter(name -> !name.contains("_bucket")))
        .isNotEmpty()
        .allMatch(moved::contains, "has moved");
    Set<String> families = new TreeSet<>();
    exposed.forEach(name -> families.add(name.replaceAll("\\{.*", "")));
    Matcher asked = Pattern.compile("\\bshardmark_\\w+").matcher(Files.readString(DASHBOARD));
    Set<String> missing = new TreeSet<>();
    int count = 0;
    while (asked.find()) {
      count++;
      if (!families.contains(asked.group())) {
        missing.add(asked.group());
      }
    }
    assertThat(count).isGreaterThan(15);
    assertThat(missing).as("asked by the dashboard, not exposed").isEmpty();
  }
}
