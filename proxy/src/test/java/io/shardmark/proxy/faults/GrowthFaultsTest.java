package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.shards.ShardSql;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes are killed while a partition is moved or a shard is added, under writes through two
 * proxies. A trigger on the first shard holds the proxy that does it: before it writes a stage, or
 * before the decision of the switch. In the check several processes are killed in one move or
 * addition; {@code -Dshardmark.growth.faults=all} kills each one at each point in a move or an
 * addition for itself, and the name of a point each one there.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class GrowthFaultsTest {
  private static final String ALL = "all";
  private static final int PARTITIONS = 4;
  private static final int ACCOUNTS = 40;
  private static final String WANTED = System.getProperty("shardmark.growth.faults", "");
  private static final int MOST_ADDED = WANTED.isEmpty() ? 3 : 24;

  /** Of a move that ends as undone; somebody has cancelled it. */
  private static final List<String> POINTS_OF_UNDOING = List.of("undoing", "undone");

  private static final List<String> POINTS_OF_MOVES =
      List.of("copying", "compared", "switched", "decision", "confirmed", "done", "undone");

  private static final List<String> POINTS_OF_ADDITIONS =
      List.of("copied", "counts", "decision", "done", "undoing", "undone");

  /** A server that is starting. */
  private static final Set<String> STARTING = Set.of("08001", "08006", "57P03");

  /**
   * Many shards of one server that is starting give no common snapshot in 10 s (docs/snapshot.md).
   */
  private static final String NO_SNAPSHOT = "55P03";

  private enum Victim {
    /** The proxy that moves or adds. */
    WORKER,
    OTHER_PROXY,
    /** The server of the first shard, which is the source. */
    FIRST,
    /** The server of the target or the new shard; another shard is there as well. */
    SECOND
  }

  private record Kill(String point, Victim victim) {
    @Override
    public String toString() {
      return victim + " at " + point;
    }
  }

  private GrowthCluster cluster;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    List<String> second = new ArrayList<>(List.of("s2"));
    for (int added = 0; added < MOST_ADDED; added++) {
      second.add("s" + (added + 3));
    }
    cluster = new GrowthCluster(directory, List.of(List.of("s1"), second));
    cluster.client(0, "create sequence ticket");
    cluster.client(0, "create table item (id int primary key, price int)");
    cluster.client(0, "insert into item select g, g from generate_series(1, 100) g");
    cluster.client(0, "create table account (id int primary key) partition by hash (id)");
    cluster.client(
        0,
        "create table entry (account int references account, number int, primary key (account,"
            + " number)) partition by hash (account)");
    cluster.createPartitions(PARTITIONS);
    cluster.client(0, "insert into account select g from generate_series(1, " + ACCOUNTS + ") g");
    cluster.createHolds("s1");
  }

  @AfterAll
  void end() {
    cluster.close();
  }

  @TestFactory
  Stream<DynamicTest> killedProcessesLeaveAMoveDoneOrUndone() {
    return cases(
        POINTS_OF_MOVES,
        this::move,
        List.of(
            List.of(
                new Kill("compared", Victim.SECOND),
                new Kill("decision", Victim.FIRST),
                new Kill("confirmed", Victim.WORKER))));
  }

  @TestFactory
  Stream<DynamicTest> killedProcessesLeaveAShardAddedOrEmpty() {
    return cases(
        POINTS_OF_ADDITIONS,
        this::add,
        List.of(
            List.of(
                new Kill("copied", Victim.SECOND),
                new Kill("decision", Victim.WORKER),
                new Kill("done", Victim.FIRST)),
            List.of(
                new Kill("counts", Victim.SECOND),
                new Kill("decision", Victim.FIRST),
                new Kill("done", Victim.WORKER)),
            List.of(new Kill("undoing", Victim.FIRST), new Kill("undone", Victim.WORKER))));
  }

  private interface Growing {
    void run(List<Kill> kills) throws Exception;
  }

  private static Stream<DynamicTest> cases(
      List<String> points, Growing growing, List<List<Kill>> ofCheck) {
    Stream<List<Kill>> one =
        points.stream()
            .filter(point -> WANTED.equals(ALL) || WANTED.equals(point))
            .flatMap(point -> Stream.of(Victim.values()).map(victim -> new Kill(point, victim)))
            .map(List::of);
    return (WANTED.isEmpty() ? ofCheck.stream() : one)
        .map(kills -> DynamicTest.dynamicTest(kills.toString(), () -> growing.run(kills)));
  }

  // ---- kills

  private void hold(List<Kill> kills) throws SQLException {
    for (Kill kill : kills) {
      cluster.hold("s1", kill.point());
    }
  }

  /** Each when the worker is held at its point. */
  private void kill(List<Kill> kills, String work) throws Exception {
    for (Kill kill : kills) {
      cluster.awaitHeld("s1", kill.point());
      int worker = worker(work, kill.point());
      int proxy = kill.victim() == Victim.OTHER_PROXY ? 1 - worker : worker;
      switch (kill.victim()) {
        case WORKER, OTHER_PROXY -> {
          cluster.proxy(proxy).killHard();
          cluster.letGo("s1", kill.point());
          cluster.restart(proxy);
        }
        case FIRST -> {
          cluster.killAndStart("s1");
          cluster.letGo("s1", kill.point());
        }
        case SECOND -> {
          cluster.killAndStart("s2");
          cluster.letGo("s1", kill.point());
        }
      }
    }
  }

  /** The proxy that has logged the stage, before it writes it; in the switch, the one before. */
  private int worker(String work, String stage) {
    int last = cluster.proxyThatSaid(work + " is " + stage);
    return last >= 0
        ? last
        : Math.max(
            cluster.proxyThatSaid(work + " is co"), 0); // copying, copied, compared, confirmed
  }

  private String stage(String shard, String sql) {
    try {
      return String.join("", cluster.texts(shard, sql));
    } catch (SQLException e) {
      assertThat(STARTING).contains(e.getSQLState());
      return "";
    }
  }

  // ---- moves

  private void move(List<Kill> kills) throws Exception {
    if (cluster.partitionsOn("s1").isEmpty()) {
      int back = cluster.move(0, cluster.partitionsOn("s2").get(0), "s1");
      Await.until("it is back", cluster::logs, () -> over("s2", back).startsWith("done"));
    }
    String partition = cluster.partitionsOn("s1").get(0);
    Load load = new Load();
    load.start();
    hold(kills);
    int move = cluster.move(0, partition, "s2");
    if (POINTS_OF_UNDOING.contains(kills.get(0).point())) {
      cluster.order(1, "CANCEL MOVE " + move);
    }
    kill(kills, "move " + move);
    Await.until("the move is over", cluster::logs, () -> !over("s1", move).isEmpty());
    load.stop();

    String end = over("s1", move);
    List<String> source = cluster.partitionsOn("s1");
    List<String> target = cluster.partitionsOn("s2");
    assertThat(source.contains(partition)).as(end).isEqualTo(end.startsWith("undone"));
    assertThat(target.contains(partition)).as(end).isEqualTo(end.startsWith("done"));
    assertThat(source.size() + target.size()).isEqualTo(PARTITIONS);
    if (end.contains("are kept in")) {
      for (int table = 0; table < 2; table++) {
        cluster.execute("s1", "drop table shardmark.moved_%d_%d".formatted(move, table));
      }
    }
    assertThat(cluster.left()).as(end).isEmpty();
    load.check();
  }

  /** How a move has ended, as its source says. */
  private String over(String source, int move) {
    return stage(
            source,
            "select stage || ' ' || note from shardmark.move where stage in ('done', 'undone')"
                + " and id = "
                + move)
        .strip();
  }

  // ---- additions

  private void add(List<Kill> kills) throws Exception {
    List<String> before = cluster.shards();
    String last = before.get(before.size() - 1);
    String added = last;
    if (last.equals("s2") || stageOf(last).equals("done")) {
      added = "s" + (before.size() + 1);
      cluster.append(added);
    }
    int position = cluster.shards().indexOf(added);
    boolean undone = POINTS_OF_UNDOING.contains(kills.get(0).point());
    if (undone) { // found in the switch
      cluster.execute("s1", "alter sequence ticket increment by 1001");
    }
    Load load = new Load();
    load.start();
    String command = "ADD SHARD " + added;
    hold(kills);
    Await.until("all proxies know the shard", cluster::logs, () -> isOrdered(command));
    kill(kills, "shard " + added);
    String name = added;
    String end = undone ? "undone" : "done";
    Await.until("the addition is over", cluster::logs, () -> stageOf(name).equals(end));
    load.stop();

    if (undone) {
      assertThat(cluster.texts(added, "select relname from pg_class where relname ~ 'item|ticket'"))
          .isEmpty();
      assertThat(cluster.texts(added, "select nspname from pg_namespace where nspname ~ 'shardm'"))
          .isEmpty();
      cluster.execute("s1", "alter sequence ticket increment by " + position);
    } else {
      cluster.awaitUp(position);
    }
    load.check(); // from now on both proxies reach all shards
    checkTickets(undone ? before.subList(0, position) : cluster.shards());
    assertThat(cluster.left()).isEmpty();
  }

  private boolean isOrdered(String command) {
    String refusal = cluster.refusal(0, command);
    assertThat(refusal).matches("|.*a proxy is present on shard .* and not on .*");
    return refusal.isEmpty();
  }

  private String stageOf(String shard) {
    return stage("s1", "select stage from shardmark.addition where name = '" + shard + "'");
  }

  /** Through both proxies: no number is given twice, and all shards have the rows. */
  private void checkTickets(List<String> counting) throws SQLException {
    List<Long> tickets = new ArrayList<>();
    for (int proxy = 0; proxy < 2; proxy++) {
      cluster.client(proxy, "update item set price = price + 1");
      tickets.addAll(cluster.tickets(proxy, 20));
    }
    assertThat(tickets).doesNotHaveDuplicates();
    Set<String> sums = new HashSet<>();
    for (String shard : counting) {
      sums.addAll(cluster.texts(shard, "select sum(price) from item"));
    }
    assertThat(sums).as("sums of the shards").hasSize(1);
  }

  /** One row at a time, through both proxies in turn; a lost connection is opened again. */
  private final class Load {
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final AtomicBoolean over = new AtomicBoolean();
    private final Set<Integer> written = new HashSet<>();

    /** Those of which an error says that they are not there. */
    private final Set<Integer> refused = new HashSet<>();

    private final Thread thread = new Thread(this::write, "load");

    void start() {
      thread.start();
    }

    private void write() {
      for (int turn = 0; !over.get(); turn++) {
        try (Connection client = cluster.open(turn % 2);
            Statement statement = client.createStatement()) {
          statement.execute("set statement_timeout = '20s'");
          while (!over.get()) {
            int number = NUMBERS.incrementAndGet();
            try {
              statement.execute(
                  "insert into entry values (" + (1 + number % ACCOUNTS) + ", " + number + ")");
              written.add(number);
            } catch (SQLException e) {
              if (Set.of("40001", "55P03", "57014").contains(String.valueOf(e.getSQLState()))) {
                refused.add(number);
              } else {
                throw e;
              }
            }
          }
        } catch (SQLException e) {
          // Its proxy or a shard is down; whether the last row is there, nobody has said.
        }
      }
    }

    void stop() throws InterruptedException {
      over.set(true);
      thread.join();
    }

    /** When a proxy reaches all shards again. */
    void check() {
      Await.until(
          "the other proxy reads all shards", cluster::logs, () -> read(1, new ArrayList<>()));
      List<Integer> numbers = new ArrayList<>();
      Await.until("all shards are read", cluster::logs, () -> read(0, numbers));
      Set<Integer> found = new HashSet<>(numbers);
      assertThat(found).as("rows without those that are there twice").hasSameSizeAs(numbers);
      assertThat(written).isNotEmpty();
      written.removeAll(found);
      assertThat(written).as("rows that are lost").isEmpty();
      refused.retainAll(found);
      assertThat(refused).as("rows of statements that have failed").isEmpty();
    }

    private static boolean isNotYet(String state) {
      return STARTING.contains(state) || state.equals(NO_SNAPSHOT);
    }

    private boolean read(int proxy, List<Integer> numbers) throws SQLException {
      try (Connection client = cluster.open(proxy)) {
        numbers.addAll(ShardSql.rows(client, "select number from entry", row -> row.getInt(1)));
        return true;
      } catch (SQLException e) {
        assertThat(e.getSQLState()).matches(Load::isNotYet, "a state that passes");
        return false;
      }
    }
  }
}
