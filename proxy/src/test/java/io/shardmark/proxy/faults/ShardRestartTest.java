package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A shard is stopped in order and started again (fast shutdown, as pg_ctl restart does) while
 * clients transfer over both shards, count on one with prepared statements, and read all: who was
 * on it is told so and goes on with the same connection.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ShardRestartTest {
  private static final int CLIENTS = 4;

  /** A loss, an unknown outcome, a server that ends, has ended or starts. */
  private static final Set<String> ALLOWED = Set.of("08006", "08007", "57P01", "57P03");

  private final List<Counting> counting = new ArrayList<>();
  private final List<Reading> reading = new ArrayList<>();
  private Cluster cluster;
  private ProxyProcess proxy;
  private BankLoad load;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    cluster = new Cluster(new Trap());
    for (int shard = 0; shard < 2; shard++) {
      cluster.execute(
          shard,
          "create table counter (id int primary key, one int, other int) partition by hash (id);"
              + "create table counter_part partition of counter for values with (modulus 2,"
              + " remainder "
              + shard
              + ")");
    }
    proxy =
        ProxyProcess.start(
            directory, cluster.proxyConfig() + "pool_size: 6\nadmin_users: [bench]\n");
    load =
        new BankLoad(
            url("bench", "simple"), CLIENTS, List.of(cluster.accounts(0), cluster.accounts(1)));
    load.start();
    for (int id = 1; id <= CLIENTS; id++) {
      counting.add(new Counting(id));
    }
    reading.add(new Reading("simple"));
    reading.add(new Reading("extended"));
    counting.forEach(Client::start);
    reading.forEach(Client::start);
  }

  @AfterAll
  void end() {
    load.close();
    counting.forEach(Client::end);
    reading.forEach(Client::end);
    proxy.close();
    cluster.close();
  }

  private String url(String database, String mode) {
    return "jdbc:postgresql://127.0.0.1:%d/%s?preferQueryMode=%s&prepareThreshold=1&socketTimeout=60"
        .formatted(proxy.port(), database, mode);
  }

  /** One that works without end over one connection, and notes what it is told. */
  private abstract class Client implements Runnable {
    private final Thread thread = new Thread(this, getClass().getSimpleName());
    private final String mode;
    final Set<String> states = new ConcurrentSkipListSet<>();
    final Set<String> wrong = new ConcurrentSkipListSet<>();
    final AtomicInteger done = new AtomicInteger();
    private volatile boolean over;

    Client(String mode) {
      this.mode = mode;
      thread.setDaemon(true);
    }

    void start() {
      thread.start();
    }

    void end() {
      over = true;
    }

    abstract void work(Connection connection) throws SQLException;

    @Override
    public void run() {
      try (Connection connection =
          DriverManager.getConnection(url("bench", mode), "bench", "bench")) {
        while (!over) {
          try {
            work(connection);
            done.incrementAndGet();
          } catch (SQLException e) {
            states.add(e.getSQLState());
            if (connection.isClosed()) {
              wrong.add("its connection was closed: " + e);
              return;
            }
          }
        }
      } catch (SQLException e) {
        wrong.add("it could not log in, or not leave: " + e);
      }
    }
  }

  /** Adds one to both numbers of its row; both are the same always. */
  private final class Counting extends Client {
    private final int id;
    private final AtomicInteger unknown = new AtomicInteger();

    Counting(int id) throws SQLException {
      super("extended");
      this.id = id;
      String insert = "insert into counter values (" + id + ", 0, 0)";
      try (Connection connection =
              DriverManager.getConnection(url("bench", "simple"), "bench", "bench");
          Statement statement = connection.createStatement()) {
        statement.execute(insert);
      }
    }

    @Override
    void work(Connection connection) throws SQLException {
      connection.setAutoCommit(false);
      try {
        update(connection, "one");
        update(connection, "other");
      } catch (SQLException e) {
        connection.rollback();
        throw e;
      }
      try {
        connection.commit();
      } catch (SQLException e) {
        unknown.incrementAndGet();
        throw e;
      }
    }

    private void update(Connection connection, String column) throws SQLException {
      String sql = "update counter set " + column + " = " + column + " + 1 where id = ?";
      try (PreparedStatement update = connection.prepareStatement(sql)) {
        update.setInt(1, id);
        if (update.executeUpdate() != 1) {
          wrong.add("an update of one row changed none");
        }
      }
    }
  }

  /** Counts the accounts of all shards. */
  private final class Reading extends Client {
    Reading(String mode) {
      super(mode);
    }

    @Override
    void work(Connection connection) throws SQLException {
      try (PreparedStatement count = connection.prepareStatement("select count(*) from account");
          ResultSet row = count.executeQuery()) {
        if (!row.next() || row.getInt(1) != Cluster.ACCOUNTS) {
          wrong.add("accounts: " + row.getInt(1));
        }
      }
    }
  }

  private void await(String what, Callable<Boolean> isSo) {
    Await.until(what, () -> load.lastTold() + told() + proxy.logTail(), isSo);
  }

  private List<Client> clients() {
    List<Client> all = new ArrayList<>(counting);
    all.addAll(reading);
    return all;
  }

  private String told() {
    StringBuilder told = new StringBuilder();
    clients().forEach(one -> told.append(one.done).append(one.states).append(one.wrong));
    return told.toString();
  }

  /** Every client, not only some. */
  private void awaitProgress() {
    int transfers = load.acknowledgedCount();
    await("transfers go on", () -> load.acknowledgedCount() >= transfers + 5 * CLIENTS);
    for (Client client : clients()) {
      int before = client.done.get();
      await("one goes on", () -> client.done.get() > before + 5 || !client.wrong.isEmpty());
    }
  }

  @RepeatedTest(4)
  void everybodyGoesOnAfterAnOrderlyRestart(RepetitionInfo repetition) throws Exception {
    int shard = repetition.getCurrentRepetition() % 2;
    awaitProgress();
    cluster.restart(shard);
    awaitProgress();

    for (Client client : clients()) {
      assertThat(client.wrong).isEmpty();
      assertThat(ALLOWED).containsAll(client.states);
    }
    assertThat(new TreeSet<>(load.told().values()))
        .as("nobody's connection to the proxy is lost")
        .noneMatch(answer -> answer.contains(" lost "));
    Set<String> told = new HashSet<>();
    for (String answer : load.told().values()) {
      told.add(answer.replaceAll(" .*", ""));
    }
    told.remove(BankLoad.ACKNOWLEDGED);
    assertThat(ALLOWED).as("what transfers were told").containsAll(told);
    clients().forEach(client -> told.addAll(client.states));
    assertThat(told).as("the restart was noticed").isNotEmpty();

    load.pause();
    try {
      await("nothing is prepared", () -> cluster.prepared().isEmpty());
      cluster.assertConserved();
    } finally {
      load.resume();
    }
    assertCounters();
  }

  private void assertCounters() throws SQLException {
    for (Counting client : counting) {
      int before = client.done.get();
      for (int shard = 0; shard < 2; shard++) {
        for (String both :
            cluster.query(
                shard, "select one || ' ' || other from counter where id = " + client.id)) {
          int space = both.indexOf(' ');
          assertThat(both.substring(space + 1)).isEqualTo(both.substring(0, space));
          int counted = Integer.parseInt(both.substring(0, space));
          int after = client.done.get() + client.unknown.get() + 1;
          assertThat(counted).isBetween(before, after);
        }
      }
    }
  }
}
