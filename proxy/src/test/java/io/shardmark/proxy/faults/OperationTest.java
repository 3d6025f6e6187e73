package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.Await;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real proxy in a process of its own, as it is operated: under load, over real servers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OperationTest {
  private static final int CLIENTS = 4;

  private final Trap trap = new Trap();
  @TempDir private static Path directory;
  private Cluster cluster;
  private int here;
  private int there;

  @BeforeAll
  void startCluster() throws Exception {
    cluster = new Cluster(trap);
    here = cluster.accounts(0).get(0);
    there = cluster.accounts(1).get(0);
    for (int shard = 0; shard < 2; shard++) {
      cluster.execute(
          shard,
          "CREATE ROLE own LOGIN PASSWORD 'one'; GRANT own TO CURRENT_USER;"
              + "CREATE ROLE late LOGIN PASSWORD 'late';"
              + "GRANT ALL ON ALL TABLES IN SCHEMA public TO late");
    }
    start(config()).close(); // the shards know which they are
  }

  @AfterAll
  void endCluster() {
    cluster.close();
  }

  @BeforeEach
  void begin() throws SQLException {
    for (int shard = 0; shard < 2; shard++) {
      cluster.execute(
          shard, "TRUNCATE transfer; UPDATE account SET balance = " + Cluster.INITIAL_BALANCE);
    }
  }

  private String config(String... more) {
    return cluster.proxyConfig() + "admin_users: [bench]\n" + String.join("\n", more) + "\n";
  }

  private ProxyProcess start(String config) throws Exception {
    return ProxyProcess.start(directory, config);
  }

  private static Connection connect(ProxyProcess proxy, String database, String user)
      throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:%d/%s?preferQueryMode=simple"
            .formatted(proxy.port(), database),
        user,
        user);
  }

  private static Connection client(ProxyProcess proxy) throws SQLException {
    return connect(proxy, "bench", "bench");
  }

  private static void execute(Connection connection, String... sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String one : sql) {
        statement.execute(one);
      }
    }
  }

  private static void administer(ProxyProcess proxy, String command) throws SQLException {
    try (Connection admin = connect(proxy, "shardmark", "bench")) {
      execute(admin, command);
    }
  }

  private static String shown(ProxyProcess proxy, String key) throws SQLException {
    try (Connection admin = connect(proxy, "shardmark", "bench");
        Statement statement = admin.createStatement();
        ResultSet rows = statement.executeQuery("SHOW CONFIG")) {
      while (rows.next()) {
        if (key.equals(rows.getString("key"))) {
          return rows.getString("value");
        }
      }
    }
    throw new AssertionError("SHOW CONFIG has no " + key);
  }

  private BankLoad load(ProxyProcess proxy, int clients) throws SQLException {
    String url =
        "jdbc:postgresql://127.0.0.1:%d/bench?preferQueryMode=simple".formatted(proxy.port());
    BankLoad load = new BankLoad(url, clients, List.of(cluster.accounts(0), cluster.accounts(1)));
    load.start();
    return load;
  }

  private static void awaitProgress(BankLoad load) {
    int before = load.acknowledgedCount();
    Await.until("transfers go on", () -> load.acknowledgedCount() >= before + 3 * CLIENTS);
  }

  private static String update(int id) {
    return "UPDATE account SET balance = balance WHERE id = " + id;
  }

  private static boolean works(ProxyProcess proxy, int id) {
    try (Connection client = client(proxy)) {
      execute(client, update(id));
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private static boolean logsIn(ProxyProcess proxy, String user) {
    try (Connection client = connect(proxy, "bench", user)) {
      execute(client, "SELECT 1");
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  // ---- reload ----

  private String withUser(String user) {
    return config("pool_size: 7")
        .replace(
            "  - {name: bench, password: bench}\n",
            "  - {name: bench, password: bench}\n  - {name: %s, password: %s}\n"
                .formatted(user, user));
  }

  /** The password of the first of users is the proxy's own. */
  @Test
  void aNewPasswordOfItsOwnIsUsed() throws Exception {
    String config = config().replace("users:\n", "users:\n  - {name: own, password: one}\n");
    try (ProxyProcess proxy = start(config)) {
      proxy.rewrite(config.replace("password: one", "password: two"));
      for (int shard = 0; shard < 2; shard++) {
        cluster.execute(shard, "ALTER ROLE own PASSWORD 'two'");
      }
      administer(proxy, "RELOAD");
      for (int shard = 0; shard < 2; shard++) {
        int index = shard;
        // Only those of before are told to end, and one that is ending is still shown.
        String there = "SELECT pid FROM pg_stat_activity WHERE usename = 'own'";
        List<String> before = cluster.query(shard, there);
        for (String pid : before) {
          cluster.execute(shard, "SELECT pg_terminate_backend(" + pid + ")");
        }
        Await.until(
            "it logs in to shard " + shard,
            () -> cluster.query(index, there).stream().anyMatch(pid -> !before.contains(pid)));
      }
    }
  }

  // ---- the end ----

  @Test
  void sigtermLetsTransactionsEndAndNobodyBegin() throws Exception {
    try (ProxyProcess proxy = start(config("drain_timeout: 60s"));
        BankLoad load = load(proxy, CLIENTS);
        Connection running = client(proxy);
        Connection idle = client(proxy)) {
      execute(running, "BEGIN", "INSERT INTO transfer VALUES (" + here + ", -1, 0)");
      awaitProgress(load);
      proxy.signal("TERM");
      Await.until("idle clients are sent away", () -> isSentAway(idle));
      assertThat(works(proxy, here)).as("new clients").isFalse();
      execute(running, "INSERT INTO transfer VALUES (" + there + ", -1, 0)", "COMMIT");
      assertThat(proxy.awaitExit()).isZero();
      assertThat(proxy.logText()).contains("drained").doesNotContain("still open");
      load.pause();
      cluster.assertConserved();
      assertThat(cluster.query(1, "SELECT id FROM transfer WHERE number = -1")).hasSize(1);
      // Whoever had begun could go on, whoever had not was told so.
      assertThat(load.told().values())
          .allMatch(
              told ->
                  told.equals(BankLoad.ACKNOWLEDGED)
                      || told.startsWith("57P01")
                      || told.startsWith("08"));
      assertThat(load.told().values()).noneMatch(told -> told.endsWith("at COMMIT"));
    }
  }

  /** Who keeps a connection without a transaction, and who never logs in. */
  @Test
  void theEndDoesNotWaitForThoseWhoHaveBegunNothing() throws Exception {
    try (ProxyProcess proxy = start(config("drain_timeout: 1h", "login_timeout: 1h"));
        Connection listener = client(proxy);
        Socket stranger = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
      execute(listener, "LISTEN something");
      stranger.getOutputStream().write(0);
      proxy.signal("TERM");
      assertThat(proxy.awaitExit()).isZero();
      assertThat(proxy.logText()).contains("drained");
      assertThat(isSentAway(listener)).isTrue();
    }
  }

  private static boolean isSentAway(Connection idle) {
    try {
      execute(idle, "SELECT 1");
      return false;
    } catch (SQLException e) {
      assertThat(e.getSQLState()).isIn("57P01", "08006");
      return true;
    }
  }

  @Test
  void aTransactionThatDoesNotEndIsRolledBackAfterDrainTimeout() throws Exception {
    try (ProxyProcess proxy = start(config("drain_timeout: 1s"));
        Connection running = client(proxy)) {
      execute(running, "BEGIN", "INSERT INTO transfer VALUES (" + here + ", -2, 0)");
      proxy.signal("TERM");
      assertThat(proxy.awaitExit()).isZero();
      assertThat(proxy.logText()).contains("still open");
      Await.until(
          "it is rolled back",
          () ->
              cluster
                  .query(
                      0, "SELECT 1 FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'")
                  .isEmpty());
      assertThat(cluster.query(0, "SELECT 1 FROM transfer WHERE number = -2")).isEmpty();
    }
  }

  // ---- pause ----

  /** How many there are on each shard. What clients know of may come a moment later. */
  private List<String> transfers() throws SQLException {
    List<String> counts = new ArrayList<>(cluster.query(0, "SELECT count(*) FROM transfer"));
    counts.addAll(cluster.query(1, "SELECT count(*) FROM transfer"));
    return counts;
  }

  private static CompletableFuture<String> later(Connection connection, String sql) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            execute(connection, sql);
            return "done";
          } catch (SQLException e) {
            return String.valueOf(e.getMessage());
          }
        });
  }

  private String stateOf(ProxyProcess proxy, String user) throws SQLException {
    try (Connection admin = connect(proxy, "shardmark", "bench");
        Statement statement = admin.createStatement();
        ResultSet rows = statement.executeQuery("SHOW CLIENTS")) {
      while (rows.next()) {
        if (user.equals(rows.getString("user"))) {
          return rows.getString("state");
        }
      }
    }
    return "gone";
  }

  /** Also for those who need not ask for a connection, and for users that come during it. */
  @Test
  void pauseIsForEverybody() throws Exception {
    String config = withUser("late") + "pool_mode: session\npool_wait_timeout: 1h\n";
    try (ProxyProcess proxy = start(config);
        Connection keeper = client(proxy)) {
      execute(keeper, update(here));
      administer(proxy, "PAUSE");
      var ofKeeper = later(keeper, update(here));
      var ofNewUser = CompletableFuture.supplyAsync(() -> logsIn(proxy, "late"));
      Await.until("one waits", () -> stateOf(proxy, "bench").startsWith("waiting"));
      Await.until("the other waits", () -> stateOf(proxy, "late").startsWith("waiting"));
      administer(proxy, "RESUME");
      assertThat(Await.result(ofKeeper)).isEqualTo("done");
      assertThat(Await.result(ofNewUser)).isTrue();
    }
  }

  // ---- several loops, several proxies ----

  /** Also when they look for more work before they sleep: they hear of each other all the same. */
  @ParameterizedTest
  @ValueSource(strings = {"busy_poll: 0", "busy_poll: 5ms"})
  void twoLoopsShareOnePort(String busyPoll) throws Exception {
    String config =
        config("pool_size: 20", busyPoll)
            .replace("transport: nio", "transport: auto")
            .replace("event_loops: 1", "event_loops: 2");
    try (ProxyProcess proxy = start(config);
        BankLoad load = load(proxy, 4 * CLIENTS)) {
      awaitProgress(load);
      for (int time = 0; time < 8; time++) {
        // A cancel request may come in on the other loop.
        try (Connection client = client(proxy);
            Statement statement = client.createStatement()) {
          CompletableFuture<String> sleep =
              CompletableFuture.supplyAsync(
                  () -> {
                    try {
                      statement.execute("SELECT pg_sleep(60)");
                      return "slept";
                    } catch (SQLException e) {
                      return e.getSQLState();
                    }
                  });
          // One that comes before its statement has begun cancels nothing, as on any server.
          cluster.awaitRunning("SELECT pg_sleep(60)");
          statement.cancel();
          assertThat(sleep.join()).isEqualTo("57014");
        }
      }
      awaitProgress(load);
      try (ProxyProcess second = ProxyProcess.begin(directory, proxy.port(), config)) {
        assertThat(second.awaitExit()).as("the port is taken").isEqualTo(1);
        assertThat(second.logTail()).contains("cannot be bound");
      }
      load.pause();
      cluster.assertConserved();
      assertThat(load.told().values()).allMatch(BankLoad.ACKNOWLEDGED::equals);
    }
  }

  @Test
  void twoProxiesServeTheSameShards() throws Exception {
    // So long that none of the two is held up until the other acts for it.
    String patient =
        config("deadlock_interval: 1s").replace("recovery_interval: 1s", "recovery_interval: 1min");
    try (ProxyProcess one = start(patient);
        ProxyProcess other = start(patient)) {
      try (BankLoad ofOne = load(one, CLIENTS);
          BankLoad ofOther = load(other, CLIENTS)) {
        for (int time = 0; time < 3; time++) {
          awaitProgress(ofOne);
          awaitProgress(ofOther);
        }
        ofOne.pause();
        ofOther.pause();
        cluster.assertConserved();
        assertThat(ofOne.told().values()).allMatch(BankLoad.ACKNOWLEDGED::equals);
        assertThat(ofOther.told().values()).allMatch(BankLoad.ACKNOWLEDGED::equals);
      }
      deadlockIsBroken(one, other);
      killedInADeadlockItLeavesNothing(one, other);
    }
  }

  private CompletableFuture<String> updateLater(Connection client, int id) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            execute(client, update(id));
            return "done";
          } catch (SQLException e) {
            return e.getSQLState();
          }
        });
  }

  private void awaitWaiting(int shard, int count) {
    Await.until(
        count + " wait on shard " + shard,
        () -> cluster.query(shard, "SELECT pid FROM pg_locks WHERE NOT granted").size() == count);
  }

  private void deadlockIsBroken(ProxyProcess one, ProxyProcess other) throws Exception {
    try (Connection older = client(one);
        Connection younger = client(other)) {
      execute(older, "BEGIN", update(here));
      execute(younger, "BEGIN", update(there));
      var ofOlder = updateLater(older, there);
      var ofYounger = updateLater(younger, here);
      assertThat(Await.result(ofYounger)).isEqualTo("40P01");
      execute(younger, "ROLLBACK");
      assertThat(Await.result(ofOlder)).isEqualTo("done");
      execute(older, "COMMIT");
    }
  }

  /** One is stopped when the deadlock arises, so that the other alone shows its part. */
  private void killedInADeadlockItLeavesNothing(ProxyProcess one, ProxyProcess other)
      throws Exception {
    String showing = "SELECT pid FROM pg_stat_activity WHERE starts_with(query, '/*shardmark')";
    Await.until("the deadlock before is shown no more", () -> cluster.query(0, showing).isEmpty());
    try (Connection older = client(one);
        Connection younger = client(other)) {
      execute(older, "BEGIN", update(here));
      execute(younger, "BEGIN", update(there));
      var ofOlder = updateLater(older, there);
      awaitWaiting(1, 1);
      one.signal("STOP");
      var ofYounger = updateLater(younger, here);
      AtomicReference<String> monitor = new AtomicReference<>("");
      Await.until(
          "it shows its part",
          () -> {
            cluster.query(0, showing).forEach(monitor::set);
            return !monitor.get().isEmpty();
          });
      assertThat(ofYounger).isNotDone();
      other.killHard();
      one.signal("CONT");
      assertThat(Await.result(ofOlder)).isEqualTo("done");
      execute(older, "COMMIT");
      awaitWaiting(0, 0);
      String session = "SELECT pid FROM pg_stat_activity WHERE pid = " + monitor.get();
      Await.until("its monitor's session has ended", () -> cluster.query(0, session).isEmpty());
      assertThat(cluster.prepared()).isEmpty();
    }
  }

  // ---- shards that are away ----

  @Test
  void aShardThatIsDownFailsOnlyWhatNeedsIt() throws Exception {
    try (ProxyProcess proxy = start(config());
        Connection steady = client(proxy)) {
      assertThat(works(proxy, there)).isTrue();
      execute(steady, "BEGIN", update(here));
      cluster.kill(1);
      execute(steady, update(here), "COMMIT", update(here));
      assertThatThrownBy(() -> execute(steady, update(there)))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08006"));
      execute(steady, update(here));
      assertThat(works(proxy, here)).isTrue();
      for (int time = 0; time < 4; time++) {
        // What any shard can answer, and logins, go where one answers.
        execute(steady, "SELECT 1");
        try (Connection fresh = client(proxy)) {
          execute(fresh, "SELECT 1");
        }
      }
      cluster.restart(1);
      Await.until("the shard is used again", () -> works(proxy, there));
      execute(steady, "BEGIN", update(here), update(there), "COMMIT");
    }
  }

  @Test
  void aShardThatComesLaterIsUsedWhenItHasSaidWhichItIs() throws Exception {
    cluster.execute(1, "UPDATE shardmark.shard SET name = 'another'");
    cluster.link(1).cut();
    try (ProxyProcess proxy = start(config())) {
      assertThat(whyNot(proxy, here)).isEmpty();
      assertThat(works(proxy, there)).isFalse();
      cluster.link(1).restore();
      Await.until("it is told apart", () -> whyNot(proxy, there).contains("that is shard another"));
      assertThat(whyNot(proxy, here)).isEmpty();
      cluster.execute(1, "UPDATE shardmark.shard SET name = 's1'");
      Await.until("it is used", () -> works(proxy, there));
    } finally {
      cluster.link(1).restore();
      cluster.execute(1, "UPDATE shardmark.shard SET name = 's1'");
    }
  }

  private static String whyNot(ProxyProcess proxy, int id) throws SQLException {
    try (Connection client = client(proxy)) {
      execute(client, update(id));
      return "";
    } catch (SQLException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void aFileThatNamesShardsOtherwiseDoesNotStart() throws Exception {
    String swapped =
        config()
            .replace("name: s0", "name: x")
            .replace("name: s1", "name: s0")
            .replace("name: x", "name: s1");
    assertThatThrownBy(() -> start(swapped))
        .hasMessageContaining(
            "shards: shard s0 of the configuration is a database that is shard s1 of its cluster;"
                + " shard s1 of the configuration is a database that is shard s0 of its cluster;"
                + " nothing was changed\n");
  }

  /** What leaves a proxy as it was. */
  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  final class OfOneProxy {
    private static final String[] POOL = {"pool_size: 5", "pool_wait_timeout: 60s"};
    private ProxyProcess proxy;

    @BeforeAll
    void startProxy() throws Exception {
      proxy = start(config(POOL));
    }

    @AfterAll
    void endProxy() {
      proxy.close();
    }

    @Test
    void sighupTakesOverUsersAndPoolSizes() throws Exception {
      assertThat(logsIn(proxy, "late")).isFalse();
      assertThat(shown(proxy, "pool_size")).isEqualTo("5");
      proxy.rewrite(withUser("late"));
      proxy.signal("HUP");
      Await.until("the new user may log in", () -> logsIn(proxy, "late"));
      Await.until("the pools are larger", () -> shown(proxy, "pool_size").equals("7"));
      proxy.rewrite(config(POOL));
      administer(proxy, "RELOAD");
      assertThat(logsIn(proxy, "late")).isFalse();
      assertThat(shown(proxy, "pool_size")).isEqualTo("5");
    }

    @Test
    void aFileWithAFaultChangesNothing() throws Exception {
      proxy.rewrite(withUser("late").replace("pool_size: 7", "pool_size: many"));
      assertThatThrownBy(() -> administer(proxy, "RELOAD")).hasMessageContaining("pool_size");
      proxy.signal("HUP");
      Await.until("it says so in its log", () -> proxy.logText().contains("not reloaded"));
      proxy.rewrite(withUser("late") + "login_timeout: 3s\n");
      assertThatThrownBy(() -> administer(proxy, "RELOAD"))
          .hasMessageContaining("login_timeout cannot change while the proxy runs");
      assertThat(logsIn(proxy, "late")).isFalse();
      assertThat(shown(proxy, "pool_size")).isEqualTo("5");
      assertThat(works(proxy, here)).isTrue();
    }

    @Test
    void pauseStopsTheLoadAndLosesNothing() throws Exception {
      try (BankLoad load = load(proxy, CLIENTS)) {
        for (int time = 0; time < 5; time++) {
          awaitProgress(load);
          administer(proxy, "PAUSE");
          List<String> standing = transfers();
          assertThat(
                  cluster.query(
                      0,
                      // The proxy's own looks at the shards are transactions too.
                      "SELECT 1 FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'"
                          + " AND application_name <> 'shardmark proxy'"))
              .isEmpty();
          cluster.assertConserved();
          assertThat(transfers()).isEqualTo(standing);
          administer(proxy, "RESUME");
        }
        awaitProgress(load);
        load.pause();
        cluster.assertConserved();
        assertThat(load.told().values()).allMatch(BankLoad.ACKNOWLEDGED::equals);
      }
    }

    @Test
    void resumeEndsAPauseThatStillWaits() throws Exception {
      try (Connection running = client(proxy);
          Connection admin = connect(proxy, "shardmark", "bench")) {
        execute(running, "BEGIN", update(here));
        var pause = later(admin, "PAUSE");
        Await.until("it is paused", () -> shown(proxy, "mode").equals("paused"));
        administer(proxy, "RESUME");
        assertThat(Await.result(pause)).contains("resumed meanwhile");
        execute(running, "COMMIT");
      }
    }
  }
}
