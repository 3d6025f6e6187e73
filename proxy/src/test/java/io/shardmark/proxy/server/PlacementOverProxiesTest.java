package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.deadlock.DeadlockDetector;
import io.shardmark.proxy.placement.ProxyMeeting;
import io.shardmark.proxy.recovery.ShardAccess;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One client changes where a table's rows are through one proxy; others read and write them through
 * another one all the while.
 */
final class PlacementOverProxiesTest {
  private static final int SHARDS = 3;
  private static final int ROWS = 60;
  private static final int CHANGES = 6;
  private static final int CLIENTS = 3;

  /** What is told to the victim of a deadlock, and to whoever was in the way of a change. */
  private static final Set<String> TRY_AGAIN = Set.of("40001", "40P01");

  private static final BackgroundRunner RUNNER = new BackgroundRunner();
  private static final List<DeadlockDetector> DETECTORS = new ArrayList<>();
  private static RunningProxy first;
  private static RunningProxy second;

  private record Shard(int index) implements ShardAccess {
    @Override
    public String name() {
      return "s" + index;
    }

    @Override
    public Connection open() throws SQLException {
      return first.shard(index);
    }
  }

  @BeforeAll
  static void start() {
    first = RunningProxy.start(SHARDS, "event_loops: 2");
    second = first.beside();
    first.meetingOthers(ProxyMeeting.LIMIT);
    second.meetingOthers(ProxyMeeting.LIMIT);
    List<ShardAccess> shards = List.of(new Shard(0), new Shard(1), new Shard(2));
    for (RunningProxy proxy : List.of(first, second)) {
      DeadlockDetector detector =
          new DeadlockDetector(shards, proxy.server(), DETECTORS.size() + 1, () -> {}, RUNNER);
      detector.start(Duration.ofMillis(50));
      DETECTORS.add(detector);
    }
  }

  @AfterAll
  static void stop() {
    RUNNER.close();
    DETECTORS.forEach(DeadlockDetector::close);
    second.close();
    first.close();
  }

  /** The table as it is made anew, with all the rows that it had. */
  private static final class Mover {
    private final Statement statement;
    private final Random random;
    private int turn;

    Mover(Statement statement, Random random) {
      this.statement = statement;
      this.random = random;
    }

    void make() throws SQLException {
      statement.execute("drop table if exists moved");
      statement.execute("create table moved (id int primary key, v int)");
      Map<Integer, Integer> rows = new TreeMap<>();
      for (int id = 1; id <= ROWS; id++) {
        rows.put(id, 0);
      }
      fill("moved", rows);
    }

    void change() throws SQLException {
      while (true) {
        try {
          statement.execute("begin");
          statement.execute("lock table moved in access exclusive mode");
          oneChange();
          statement.execute("commit");
          return;
        } catch (SQLException e) {
          assertThat(TRY_AGAIN).as(e.getMessage()).contains(e.getSQLState());
          statement.execute("rollback");
        }
      }
    }

    private void oneChange() throws SQLException {
      Map<Integer, Integer> rows = rows();
      turn++;
      switch (random.nextInt(4)) {
        case 0 -> {
          statement.execute("drop table moved");
          statement.execute("create table moved (id int primary key, v int)");
          fill("moved", rows);
        }
        case 1 -> {
          statement.execute("drop table moved");
          sharded("moved", random.nextInt(SHARDS));
          fill("moved", rows);
        }
        case 2 -> {
          sharded("fresh", random.nextInt(SHARDS));
          fill("fresh", rows);
          statement.execute("alter table moved rename to old");
          statement.execute("alter table fresh rename to moved");
          statement.execute("drop table old");
        }
        default -> {
          statement.execute("drop table moved");
          statement.execute(
              "create table moved (id int primary key, v int) partition by hash (id)");
          for (int part = 0; part < SHARDS; part++) {
            String name = "p" + turn + "_" + part;
            statement.execute("create table " + name + " (id int primary key, v int)");
            statement.execute(
                "alter table moved attach partition %s for values with (modulus %d, remainder %d)"
                    .formatted(name, SHARDS, part));
          }
          fill("moved", rows);
        }
      }
    }

    private void sharded(String table, int shift) throws SQLException {
      statement.execute(
          "create table " + table + " (id int primary key, v int) partition by hash (id)");
      for (int part = 0; part < SHARDS; part++) {
        statement.execute(
            "create table p%d_%d partition of %s for values with (modulus %d, remainder %d) with (shard = %d)"
                .formatted(turn, part, table, SHARDS, part, (part + shift) % SHARDS + 1));
      }
    }

    private Map<Integer, Integer> rows() throws SQLException {
      Map<Integer, Integer> rows = new TreeMap<>();
      try (ResultSet row = statement.executeQuery("select id, v from moved")) {
        while (row.next()) {
          rows.put(row.getInt(1), row.getInt(2));
        }
      }
      return rows;
    }

    private void fill(String table, Map<Integer, Integer> rows) throws SQLException {
      StringBuilder sql = new StringBuilder("insert into " + table + " values ");
      rows.forEach((id, v) -> sql.append("(%d, %d), ".formatted(id, v)));
      statement.execute(sql.substring(0, sql.length() - 2));
    }
  }

  /** Reads and writes; notes what it was told that cannot be. */
  private static final class Client {
    private final String mode;
    private final AtomicBoolean over;
    private final AtomicInteger ids;
    private final LongAdder updates;
    private final Set<String> wrong = ConcurrentHashMap.newKeySet();
    private final List<Integer> inserted = new ArrayList<>();
    private int answers;

    Client(String mode, AtomicBoolean over, AtomicInteger ids, LongAdder updates) {
      this.mode = mode;
      this.over = over;
      this.ids = ids;
      this.updates = updates;
    }

    Client run(int number) throws SQLException {
      Random random = new Random(number);
      try (Connection connection = second.connect("preferQueryMode=" + mode);
          PreparedStatement count =
              connection.prepareStatement("select count(*) from moved where id <= ?");
          PreparedStatement update =
              connection.prepareStatement("update moved set v = v + 1 where id = ?");
          PreparedStatement insert =
              connection.prepareStatement("insert into moved values (?, 0)")) {
        while (!over.get()) {
          try {
            one(random.nextInt(4), random, count, update, insert);
            answers++;
          } catch (SQLException e) {
            if (!TRY_AGAIN.contains(String.valueOf(e.getSQLState()))) {
              wrong.add(e.getSQLState() + " " + e.getMessage());
            }
          }
        }
      }
      return this;
    }

    private void one(
        int what,
        Random random,
        PreparedStatement count,
        PreparedStatement update,
        PreparedStatement insert)
        throws SQLException {
      switch (what) {
        case 0, 1 -> {
          count.setInt(1, ROWS);
          try (ResultSet row = count.executeQuery()) {
            row.next();
            if (row.getInt(1) != ROWS) {
              wrong.add("counted " + row.getInt(1));
            }
          }
        }
        case 2 -> {
          update.setInt(1, 1 + random.nextInt(ROWS));
          int changed = update.executeUpdate();
          updates.add(changed);
          if (changed != 1) {
            wrong.add("updated " + changed);
          }
        }
        default -> {
          int id = ids.incrementAndGet();
          insert.setInt(1, id);
          insert.executeUpdate();
          inserted.add(id);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void noStatementIsAnsweredByAMapOlderThanItsTable(String mode) throws Exception {
    long seed = Long.getLong("placement.seed", System.nanoTime());
    System.out.println("PlacementOverProxiesTest: -Dplacement.seed=" + seed);
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger ids = new AtomicInteger(ROWS);
    LongAdder updates = new LongAdder();
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try (Connection owner = first.connect();
        Statement statement = owner.createStatement()) {
      Mover mover = new Mover(statement, new Random(seed));
      mover.make();
      second.refresh();
      List<Future<Client>> clients = new ArrayList<>();
      try {
        for (int number = 0; number < CLIENTS; number++) {
          Client client = new Client(mode, over, ids, updates);
          int own = number;
          clients.add(threads.submit(() -> client.run(own)));
        }
        for (int change = 0; change < CHANGES; change++) {
          mover.change();
        }
      } finally {
        over.set(true);
        threads.shutdown();
      }
      List<Client> done = new ArrayList<>();
      for (Future<Client> each : clients) {
        done.add(each.get());
      }
      Set<Integer> there = Set.copyOf(mover.rows().keySet());
      for (Client client : done) {
        assertThat(client.wrong).as("seed %d, %d answers", seed, client.answers).isEmpty();
        assertThat(there).as("rows that were inserted, seed %d", seed).containsAll(client.inserted);
      }
      for (RunningProxy proxy : List.of(first, second)) {
        assertSum(proxy, updates.sum(), seed);
      }
    }
  }

  private static void assertSum(RunningProxy proxy, long expected, long seed) throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select sum(v) from moved")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getLong(1)).as("seed %d", seed).isEqualTo(expected);
    }
  }
}
