package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.deadlock.DeadlockDetector;
import io.shardmark.proxy.recovery.ShardAccess;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Two clients of the proxy that wait for each other on two shards: the one whose transaction is the
 * younger is told of the deadlock, whatever it was doing, and the other goes on.
 */
final class CrossShardDeadlockTest {
  private static final LongAdder BROKEN = new LongAdder();

  /** Not the common ones: of these there are fewer than wait, on a machine with few processors. */
  private static final ExecutorService THREADS = Executors.newCachedThreadPool();

  private static RunningProxy proxy;
  private static RunningProxy beside;
  private static final List<DeadlockDetector> DETECTORS = new ArrayList<>();
  private static BackgroundRunner runner = new BackgroundRunner();
  private static int first;
  private static int second;
  private static int old;

  private record Shard(int index) implements ShardAccess {
    @Override
    public String name() {
      return "s" + index;
    }

    @Override
    public Connection open() throws SQLException {
      return proxy.shard(index);
    }
  }

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2);
    String part = " for values with (modulus 2, remainder $shard);";
    proxy.makeOnShards(
        "create table item (id int primary key, n int) partition by hash (id);"
            + "create table item_part partition of item"
            + part
            + "create table once (id int unique deferrable initially deferred, n int)"
            + " partition by hash (id); create table once_part partition of once"
            + part);
    first = ownKey(0, "min");
    second = ownKey(1, "min");
    old = ownKey(0, "max");
    beside = proxy.beside();
  }

  @BeforeEach
  void detectQuickly() {
    detect(Duration.ofMillis(50));
  }

  /** Both proxies look for deadlocks every interval from now on. */
  private static void detect(Duration interval) {
    stopDetecting();
    runner = new BackgroundRunner();
    for (RunningProxy each : List.of(proxy, beside)) {
      DeadlockDetector detector =
          new DeadlockDetector(
              List.of(new Shard(0), new Shard(1)),
              each.server(),
              each.port(),
              BROKEN::increment,
              runner);
      detector.start(interval);
      DETECTORS.add(detector);
    }
  }

  private static void stopDetecting() {
    runner.close();
    DETECTORS.forEach(DeadlockDetector::close);
    DETECTORS.clear();
  }

  /**
   * For circles through both: who is not the youngest's proxy gives that one some looks' time, and
   * cancels one of its own then. One that is held up for so long is no case of these tests.
   */
  private static void detectPatiently() {
    detect(Duration.ofSeconds(1));
  }

  @AfterAll
  static void stop() {
    stopDetecting();
    beside.close();
    proxy.close();
    THREADS.shutdown();
  }

  private static int ownKey(int shard, String which) throws SQLException {
    try (Connection connection = proxy.shard(shard);
        Statement statement = connection.createStatement();
        var row =
            statement.executeQuery(
                "select "
                    + which
                    + "(id) from generate_series(1, 50) id"
                    + " where satisfies_hash_partition('item'::regclass, 2, "
                    + shard
                    + ", id)")) {
      assertThat(row.next()).isTrue();
      return row.getInt(1);
    }
  }

  private interface Work {
    void run() throws SQLException, IOException;
  }

  private static CompletableFuture<String> later(Work work) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            work.run();
            return "done";
          } catch (PSQLException e) {
            ServerErrorMessage error = e.getServerErrorMessage();
            return error == null
                ? String.valueOf(e)
                : "%s %s: %s".formatted(e.getSQLState(), error.getMessage(), error.getDetail());
          } catch (SQLException | IOException e) {
            return String.valueOf(e);
          }
        },
        THREADS);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Work of(Connection connection, String sql) {
    return () -> execute(connection, sql);
  }

  private static Work copy(Connection connection, String sql, String rows) {
    return () ->
        new CopyManager(connection.unwrap(BaseConnection.class))
            .copyIn(sql, new StringReader(rows));
  }

  @BeforeEach
  void empty() throws SQLException {
    proxy.onShards("truncate item; truncate once");
    try (Connection connection = proxy.connect()) {
      execute(connection, "insert into item values (" + old + ", 0)");
    }
  }

  private interface Conflict {
    Work ofYounger(Connection younger);
  }

  /** The older has the first key and wants the second; the younger has that and does this. */
  private static void breaks(String mode, Conflict conflict) throws Exception {
    breaks(mode, proxy, conflict);
  }

  private static void breaks(String mode, RunningProxy ofTheYounger, Conflict conflict)
      throws Exception {
    long before = BROKEN.sum();
    try (Connection older = proxy.connect("preferQueryMode=" + mode);
        Connection younger = ofTheYounger.connect("preferQueryMode=" + mode)) {
      older.setAutoCommit(false);
      younger.setAutoCommit(false);
      execute(older, "insert into item values (" + first + ", 1)");
      execute(older, "update item set n = 1 where id = " + old);
      execute(younger, "insert into item values (" + second + ", 2)");
      CompletableFuture<String> ofOlder =
          later(of(older, "insert into item values (" + second + ", 1)"));
      CompletableFuture<String> ofYounger = later(conflict.ofYounger(younger));
      assertIsDeadlock(Await.result(ofYounger));
      younger.rollback();
      assertThat(Await.result(ofOlder)).isEqualTo("done");
      older.commit();
    }
    assertThat(BROKEN.sum()).isEqualTo(before + 1);
  }

  private static void assertIsDeadlock(String told) {
    String line =
        "Process \\d+ of shard s%d waits for \\w+ on (transaction|relation) \\w+; blocked by ";
    assertThat(told)
        .matches(
            "(?s)40P01 deadlock detected: "
                + line.formatted(0)
                + "[^\n]+\\.\n"
                + line.formatted(1)
                + "[^\n]+\\.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void inAStatementOfOneShard(String mode) throws Exception {
    breaks(mode, younger -> of(younger, "insert into item values (" + first + ", 2)"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void inRowsThatAreSplit(String mode) throws Exception {
    int more = second + 1_000;
    breaks(
        mode,
        younger -> of(younger, "insert into item values (%d, 2), (%d, 2)".formatted(first, more)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void inAWriteOnAllShards(String mode) throws Exception {
    breaks(mode, younger -> of(younger, "update item set n = n + 1"));
  }

  @Test
  void inACopyOverShards() throws Exception {
    breaks(
        "extended",
        younger -> copy(younger, "copy item from stdin", first + "\t2\n" + (second + 9) + "\t2\n"));
  }

  @Test
  void inACopyIntoOneShard() throws Exception {
    breaks(
        "extended",
        younger ->
            copy(younger, "/* shardmark_shard: s0 */ copy item from stdin", first + "\t2\n"));
  }

  @Test
  void throughTwoProxies() throws Exception {
    detectPatiently();
    breaks("simple", beside, younger -> of(younger, "insert into item values (" + first + ", 2)"));
    empty();
    breaks("extended", beside, younger -> of(younger, "update item set n = n + 1"));
  }

  @Test
  void ofThreeThroughTwoProxies() throws Exception {
    detectPatiently();
    long before = BROKEN.sum();
    try (Connection oldest = proxy.connect();
        Connection middle = beside.connect();
        Connection youngest = proxy.connect()) {
      execute(oldest, "insert into item values (%d, 0), (%d, 0)".formatted(first, second));
      for (Connection each : List.of(oldest, middle, youngest)) {
        each.setAutoCommit(false);
      }
      execute(oldest, "update item set n = 1 where id = " + first);
      execute(middle, "update item set n = 2 where id = " + second);
      execute(youngest, "update item set n = 3 where id = " + old);
      var ofOldest = later(of(oldest, "update item set n = 1 where id = " + second));
      var ofMiddle = later(of(middle, "update item set n = 2 where id = " + old));
      var ofYoungest = later(of(youngest, "update item set n = 3 where id = " + first));
      assertThat(Await.result(ofYoungest))
          .startsWith("40P01 deadlock detected: ")
          .contains(" of shard s0 ", " of shard s1 ");
      youngest.rollback();
      assertThat(Await.result(ofMiddle)).isEqualTo("done");
      middle.commit();
      assertThat(Await.result(ofOldest)).isEqualTo("done");
      oldest.commit();
    }
    assertThat(BROKEN.sum()).isEqualTo(before + 1);
  }

  /** The recheck of a deferred constraint waits for a transaction that has been prepared. */
  @Test
  void inTheDecisionOfACommit() throws Exception {
    breaksInTheDecision(proxy);
    proxy.onShards("truncate once");
    detectPatiently();
    breaksInTheDecision(beside);
  }

  private static void breaksInTheDecision(RunningProxy ofTheYounger) throws Exception {
    try (Connection older = proxy.connect();
        Connection younger = ofTheYounger.connect()) {
      older.setAutoCommit(false);
      younger.setAutoCommit(false);
      execute(older, "insert into once values (" + first + ", 1)");
      execute(younger, "insert into once values (" + second + ", 2)");
      execute(older, "insert into once values (" + second + ", 1)");
      execute(younger, "insert into once values (" + first + ", 2)");
      CompletableFuture<String> ofOlder = later(older::commit);
      CompletableFuture<String> ofYounger = later(younger::commit);
      String told = Await.result(ofYounger);
      assertIsDeadlock(told);
      assertThat(told).contains("blocked by prepared transaction shardmark:");
      assertThat(Await.result(ofOlder)).isEqualTo("done");
    }
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement();
        var row = statement.executeQuery("select count(*), min(n), max(n) from once")) {
      assertThat(row.next()).isTrue();
      assertThat(List.of(row.getInt(1), row.getInt(2), row.getInt(3))).containsExactly(2, 1, 1);
    }
  }
}
