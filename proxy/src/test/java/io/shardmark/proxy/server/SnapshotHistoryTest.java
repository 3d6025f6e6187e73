package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.sql.history.Anomaly;
import io.shardmark.sql.history.Anomaly.Phenomenon;
import io.shardmark.sql.history.HistoryCheck;
import io.shardmark.sql.history.HistoryTransaction;
import io.shardmark.sql.history.HistoryTransaction.Append;
import io.shardmark.sql.history.HistoryTransaction.Ending;
import io.shardmark.sql.history.HistoryTransaction.Read;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients of two proxies append to lists on three shards and read them: what each level promises.
 */
final class SnapshotHistoryTest {
  private static final int CLIENTS = 4;
  private static final int LISTS = 6;
  private static final int TRANSACTIONS = Integer.getInteger("shardmark.transactions", 100);

  private static final Set<Phenomenon> NEVER =
      EnumSet.of(
          Phenomenon.NO_ORDER,
          Phenomenon.INTERNAL,
          Phenomenon.ABORTED_READ,
          Phenomenon.INTERMEDIATE_READ,
          Phenomenon.DIRTY_WRITE,
          Phenomenon.CIRCULAR_INFORMATION);

  private static final AtomicInteger VALUES = new AtomicInteger();

  private static RunningProxy first;
  private static RunningProxy second;

  /** A level, how several shards are read, and what that excludes. */
  private enum Level {
    FAST("read committed", "per_shard", "fast"),
    CONSISTENT("read committed", "per_shard", "consistent", Phenomenon.TORN_STATEMENT),
    PER_SHARD("repeatable read", "per_shard", "consistent"),
    SNAPSHOT(
        "repeatable read",
        "snapshot",
        "consistent",
        Phenomenon.TORN_STATEMENT,
        Phenomenon.TORN_TRANSACTION);

    private final String name;
    private final String isolation;
    private final String reads;

    @SuppressWarnings("ImmutableEnumChecker") // never changed
    private final Phenomenon[] excluded;

    Level(String name, String isolation, String reads, Phenomenon... more) {
      this.name = name;
      this.isolation = isolation;
      this.reads = reads;
      this.excluded = more;
    }

    Set<Phenomenon> excluded() {
      Set<Phenomenon> all = EnumSet.copyOf(NEVER);
      all.addAll(List.of(excluded));
      return all;
    }
  }

  @BeforeAll
  static void start() {
    first = RunningProxy.start(3);
    second = first.beside();
  }

  @AfterAll
  static void stop() {
    second.close();
    first.close();
  }

  @ParameterizedTest
  @EnumSource
  void levelsKeepWhatTheyPromise(Level level) throws Exception {
    String[] keys = {"cross_shard_isolation: " + level.isolation, "scatter_reads: " + level.reads};
    first.reload(keys);
    second.reload(keys);
    makeLists();
    List<HistoryTransaction> history = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<List<HistoryTransaction>>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int number = i;
        clients.add(threads.submit(() -> run(level, number)));
      }
      for (Future<List<HistoryTransaction>> client : clients) {
        history.addAll(client.get());
      }
    } finally {
      threads.shutdown();
    }
    assertThat(history).anyMatch(one -> one.ending() == Ending.COMMITTED);
    Map<Phenomenon, Long> found =
        HistoryCheck.anomalies(history).stream()
            .collect(
                Collectors.groupingBy(Anomaly::phenomenon, TreeMap::new, Collectors.counting()));
    assertThat(found)
        .as("%s", level)
        .doesNotContainKeys(level.excluded().toArray(Phenomenon[]::new));
  }

  private static void makeLists() throws SQLException {
    try (Connection connection = first.connect();
        java.sql.Statement statement = connection.createStatement()) {
      statement.execute("drop table if exists list");
      statement.execute("create table list (k integer, vals integer[]) partition by hash (k)");
      for (int i = 0; i < 3; i++) {
        statement.execute(
            "create table list_%d partition of list for values with (modulus 3, remainder %1$d)"
                .formatted(i));
      }
      for (int k = 0; k < LISTS; k++) {
        statement.execute("insert into list values (" + k + ", '{}')");
      }
    }
    second.refresh();
  }

  private static List<HistoryTransaction> run(Level level, int number) throws SQLException {
    List<HistoryTransaction> history = new ArrayList<>();
    Random random = new Random(number);
    try (Connection connection = (number % 2 == 0 ? first : second).connect();
        java.sql.Statement statement = connection.createStatement()) {
      statement.execute("set session characteristics as transaction isolation level " + level.name);
      connection.setAutoCommit(false);
      for (int i = 0; i < TRANSACTIONS; i++) {
        List<HistoryTransaction.HistoryStatement> done = new ArrayList<>();
        Ending ending = Ending.COMMITTED;
        try {
          // In the order of the lists, so that no two wait for each other.
          boolean writes = random.nextBoolean();
          for (int k = random.nextInt(3); k < LISTS; k += 1 + random.nextInt(3)) {
            done.add(writes ? append(statement, k) : read(statement, k, random.nextInt(LISTS)));
          }
          if (random.nextInt(20) == 0) {
            ending = Ending.ABORTED;
            connection.rollback();
          } else {
            connection.commit();
          }
        } catch (SQLException e) {
          assertThat(e.getSQLState()).as("%s", e).isEqualTo("40001");
          ending = Ending.ABORTED;
          connection.rollback();
        }
        history.add(new HistoryTransaction(number * TRANSACTIONS + i, ending, done));
      }
    }
    return history;
  }

  private static Append append(java.sql.Statement statement, int k) throws SQLException {
    int value = VALUES.incrementAndGet();
    statement.execute("update list set vals = vals || " + value + " where k = " + k);
    return new Append(k, value);
  }

  private static Read read(java.sql.Statement statement, int k, int other) throws SQLException {
    Map<Integer, List<Integer>> lists = new TreeMap<>();
    try (ResultSet rows =
        statement.executeQuery("select k, vals from list where k in (" + k + ", " + other + ")")) {
      while (rows.next()) {
        Array values = rows.getArray(2);
        lists.put(rows.getInt(1), List.of((Integer[]) values.getArray()));
      }
    }
    return new Read(lists);
  }
}
