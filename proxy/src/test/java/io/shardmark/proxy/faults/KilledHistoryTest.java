package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import io.shardmark.sql.history.Anomaly;
import io.shardmark.sql.history.Anomaly.Phenomenon;
import io.shardmark.sql.history.HistoryCheck;
import io.shardmark.sql.history.HistoryTransaction;
import io.shardmark.sql.history.HistoryTransaction.Append;
import io.shardmark.sql.history.HistoryTransaction.Ending;
import io.shardmark.sql.history.HistoryTransaction.Read;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clients of two proxies append to lists on two shards and read them, while a proxy and a shard are
 * killed and started again: what each level promises holds, nothing acknowledged is lost, and
 * nothing is read that was rolled back.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class KilledHistoryTest {
  private static final int CLIENTS = 4;
  private static final int LISTS = 6;
  private static final int ROUNDS = Integer.getInteger("shardmark.kills", 1);

  /** Transactions between two kills. */
  private static final int BETWEEN = 60;

  private static final String KEYS =
      "cross_shard_isolation: snapshot\nscatter_reads: consistent\nadmin_users: [bench]\n";

  private final AtomicInteger values = new AtomicInteger();
  private final AtomicInteger numbers = new AtomicInteger();
  private final List<ProxyProcess> proxies = new CopyOnWriteArrayList<>();
  private Path directory;
  private Cluster cluster;

  @BeforeAll
  void start(@TempDir Path files) throws Exception {
    directory = files;
    cluster = new Cluster(new Trap());
    for (int shard = 0; shard < 2; shard++) {
      cluster.execute(
          shard,
          "create table list (k integer, vals integer[]) partition by hash (k);"
              + "create table list_part partition of list for values with (modulus 2, remainder "
              + shard
              + ")");
    }
    for (int i = 0; i < 2; i++) {
      proxies.add(ProxyProcess.start(directory, cluster.proxyConfig() + KEYS));
    }
  }

  @AfterAll
  void end() {
    proxies.forEach(ProxyProcess::close);
    cluster.close();
  }

  private Connection open(int proxy) throws SQLException {
    String url = "jdbc:postgresql://127.0.0.1:" + proxies.get(proxy).port() + "/bench";
    return DriverManager.getConnection(url + "?socketTimeout=60", "bench", "bench");
  }

  @ParameterizedTest
  @CsvSource({"read committed, TORN_STATEMENT", "repeatable read, TORN_TRANSACTION"})
  void levelsKeepTheirPromisesThroughKills(String level, Phenomenon excluded) throws Exception {
    try (Connection connection = open(0);
        Statement statement = connection.createStatement()) {
      statement.execute("truncate list");
      for (int k = 0; k < LISTS; k++) {
        statement.execute("insert into list values (" + k + ", '{}')");
      }
    }
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger committed = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    List<Future<List<HistoryTransaction>>> clients = new ArrayList<>();
    List<HistoryTransaction> history = new ArrayList<>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        int number = i;
        clients.add(threads.submit(() -> run(level, number, over, committed)));
      }
      for (int round = 0; round < ROUNDS; round++) {
        awaitMore(committed);
        proxies.get(1).killHard();
        proxies.set(1, ProxyProcess.start(directory, cluster.proxyConfig() + KEYS));
        awaitMore(committed);
        int shard = round % 2;
        cluster.kill(shard);
        cluster.restart(shard);
      }
      awaitMore(committed);
      over.set(true);
      for (Future<List<HistoryTransaction>> client : clients) {
        history.addAll(Await.result(client));
      }
    } finally {
      over.set(true);
      threads.shutdownNow();
    }
    Await.until("nothing is left prepared", () -> cluster.prepared().isEmpty());
    Map<Integer, List<Integer>> last = lists();
    history.add(
        new HistoryTransaction(
            numbers.incrementAndGet(), Ending.COMMITTED, List.of(new Read(last))));
    judge(history, last, excluded);
  }

  private void awaitMore(AtomicInteger committed) throws Exception {
    int goal = committed.get() + BETWEEN;
    Await.until(
        "transactions are committed", proxies.get(0)::logTail, () -> committed.get() >= goal);
  }

  private static void judge(
      List<HistoryTransaction> history, Map<Integer, List<Integer>> last, Phenomenon excluded) {
    Set<Integer> found = last.values().stream().flatMap(List::stream).collect(Collectors.toSet());
    Set<Integer> acknowledged = new HashSet<>();
    history.stream()
        .filter(one -> one.ending() == Ending.COMMITTED)
        .flatMap(one -> one.statements().stream())
        .filter(Append.class::isInstance)
        .forEach(one -> acknowledged.add(((Append) one).value()));
    assertThat(found).as("acknowledged").isNotEmpty().containsAll(acknowledged);
    Set<Phenomenon> never =
        EnumSet.of(
            Phenomenon.NO_ORDER,
            Phenomenon.INTERNAL,
            Phenomenon.ABORTED_READ,
            Phenomenon.INTERMEDIATE_READ,
            Phenomenon.DIRTY_WRITE,
            Phenomenon.CIRCULAR_INFORMATION,
            Phenomenon.TORN_STATEMENT,
            excluded);
    Map<Phenomenon, List<Anomaly>> anomalies =
        HistoryCheck.anomalies(history).stream()
            .collect(Collectors.groupingBy(Anomaly::phenomenon));
    assertThat(anomalies).doesNotContainKeys(never.toArray(Phenomenon[]::new));
  }

  private Map<Integer, List<Integer>> lists() throws SQLException {
    try (Connection connection = open(0);
        Statement statement = connection.createStatement()) {
      return read(statement, IntStream.range(0, LISTS).boxed().toList()).lists();
    }
  }

  /** Makes transactions until it is over, each on whatever proxy lets it in. */
  private List<HistoryTransaction> run(
      String level, int number, AtomicBoolean over, AtomicInteger committed) {
    List<HistoryTransaction> history = new ArrayList<>();
    Random random = new Random(number);
    while (!over.get()) {
      try (Connection connection = open(number % 2);
          Statement statement = connection.createStatement()) {
        statement.execute("set session characteristics as transaction isolation level " + level);
        connection.setAutoCommit(false);
        boolean open = true;
        while (open && !over.get()) {
          HistoryTransaction one = transaction(connection, statement, random);
          history.add(one);
          committed.addAndGet(one.ending() == Ending.COMMITTED ? 1 : 0);
          open = one.ending() != Ending.UNKNOWN && isLive(connection);
        }
      } catch (SQLException e) {
        assertLost(e);
      }
    }
    return history;
  }

  private static boolean isLive(Connection connection) throws SQLException {
    if (connection.isClosed()) {
      return false;
    }
    connection.rollback();
    return true;
  }

  private HistoryTransaction transaction(
      Connection connection, Statement statement, Random random) {
    List<HistoryTransaction.HistoryStatement> done = new ArrayList<>();
    Ending failed = Ending.ABORTED;
    Ending ending = Ending.COMMITTED;
    try {
      // In the order of the lists, so that no two wait for each other.
      boolean writes = random.nextBoolean();
      for (int k = random.nextInt(3); k < LISTS; k += 1 + random.nextInt(3)) {
        done.add(
            writes ? append(statement, k) : read(statement, List.of(k, random.nextInt(LISTS))));
      }
      failed = Ending.UNKNOWN;
      connection.commit();
    } catch (SQLException e) {
      assertLost(e);
      ending = e.getSQLState().equals("40001") ? Ending.ABORTED : failed;
    }
    return new HistoryTransaction(numbers.incrementAndGet(), ending, done);
  }

  /**
   * A conflict, a loss, an unknown outcome, a server that ends or starts, a lock in vain; a shard
   * that could not be reached when the snapshot was taken, and is needed.
   */
  private static void assertLost(SQLException e) {
    if (String.valueOf(e.getMessage()).contains("its shards have no common snapshot")) {
      return;
    }
    assertThat(e.getSQLState()).as("%s", e).matches("40001|08...|57P0.|55P03");
  }

  private Append append(Statement statement, int k) throws SQLException {
    int value = values.incrementAndGet();
    statement.execute("update list set vals = vals || " + value + " where k = " + k);
    return new Append(k, value);
  }

  private static Read read(Statement statement, List<Integer> wanted) throws SQLException {
    Map<Integer, List<Integer>> lists = new TreeMap<>();
    String keys = wanted.stream().map(String::valueOf).collect(Collectors.joining(","));
    try (ResultSet rows =
        statement.executeQuery("select k, vals from list where k in (" + keys + ")")) {
      while (rows.next()) {
        lists.put(rows.getInt(1), List.of((Integer[]) rows.getArray(2).getArray()));
      }
    }
    return new Read(lists);
  }
}
