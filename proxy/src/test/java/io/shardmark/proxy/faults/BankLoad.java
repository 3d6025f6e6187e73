package io.shardmark.proxy.faults;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.postgresql.util.PSQLException;

/**
 * Clients that transfer money between accounts on different shards without end; each transfer also
 * leaves a row with its number beside both accounts.
 */
final class BankLoad implements AutoCloseable {
  /** What a client was told of its transfer. */
  static final String ACKNOWLEDGED = "COMMIT";

  private static final String UNKNOWN = "08007";

  private final String url;
  private final List<List<Integer>> accounts;
  private final AtomicInteger numbers = new AtomicInteger();
  private final Map<Integer, String> told = new ConcurrentHashMap<>();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final List<Thread> clients = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition resumed = lock.newCondition();
  private final Phaser busy = new Phaser(1);
  private boolean paused;
  private volatile boolean over;
  private volatile String lastFailure = "";

  /**
   * @param accounts their ids, by shard
   */
  BankLoad(String url, int clientCount, List<List<Integer>> accounts) {
    this.url = url;
    this.accounts = List.copyOf(accounts);
    for (int client = 0; client < clientCount; client++) {
      Random random = new Random(client);
      Thread thread = new Thread(() -> run(random), "bank-" + client);
      thread.setDaemon(true);
      clients.add(thread);
    }
  }

  void start() {
    clients.forEach(Thread::start);
  }

  private void run(Random random) {
    Connection connection = null;
    while (admitted()) {
      try {
        if (connection == null) {
          connection = DriverManager.getConnection(url, "bench", "bench");
        }
        transfer(connection, random);
      } catch (SQLException e) {
        lastFailure = String.valueOf(e);
        connection = closed(connection);
      } finally {
        busy.arriveAndDeregister();
      }
    }
    closed(connection);
  }

  private static Connection closed(Connection connection) {
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException e) {
        // It is gone already.
      }
    }
    return null;
  }

  private void transfer(Connection connection, Random random) throws SQLException {
    int number = numbers.getAndIncrement();
    // In ascending order, so that transfers never wait for each other in a circle.
    int one = accounts.get(0).get(random.nextInt(accounts.get(0).size()));
    int other = accounts.get(1).get(random.nextInt(accounts.get(1).size()));
    int amount = random.nextInt(19) - 9;
    String mark = "/* transfer " + number + " */ ";
    String phase = "before COMMIT";
    try (Statement statement = connection.createStatement()) {
      statement.execute("BEGIN");
      write(statement, mark, number, Math.min(one, other), -amount);
      write(statement, mark, number, Math.max(one, other), amount);
      phase = "at COMMIT";
      statement.execute("COMMIT");
      told.put(number, ACKNOWLEDGED);
      acknowledged.incrementAndGet();
    } catch (SQLException e) {
      told.put(number, e.getSQLState() + (isReported(e) ? " reported " : " lost ") + phase);
      if (!isReported(e)) {
        throw e;
      }
      rollback(connection);
    }
  }

  /** Whether the proxy said so, and not the driver that found the connection broken. */
  private static boolean isReported(SQLException e) {
    return e instanceof PSQLException reported && reported.getServerErrorMessage() != null;
  }

  private static void write(Statement statement, String mark, int number, int account, int amount)
      throws SQLException {
    statement.execute(
        mark + "UPDATE account SET balance = balance + " + amount + " WHERE id = " + account);
    statement.execute(
        mark
            + "INSERT INTO transfer (id, number, amount) VALUES ("
            + account
            + ", "
            + number
            + ", "
            + amount
            + ")");
  }

  private static void rollback(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("ROLLBACK");
    }
  }

  /** Waits while paused; then counts as busy, unless all is over. */
  private boolean admitted() {
    lock.lock();
    try {
      while (paused && !over) {
        resumed.awaitUninterruptibly();
      }
      if (over) {
        return false;
      }
      busy.register();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Lets the transfers under way end, and no new ones begin. */
  void pause() throws Exception {
    lock.lock();
    try {
      paused = true;
    } finally {
      lock.unlock();
    }
    busy.awaitAdvanceInterruptibly(busy.arrive(), 2, TimeUnit.MINUTES);
  }

  void resume() {
    lock.lock();
    try {
      paused = false;
      resumed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many transfers have been acknowledged. */
  int acknowledgedCount() {
    return acknowledged.get();
  }

  /** By the transfer's number: {@link #ACKNOWLEDGED} or the SQLSTATE and when it came. */
  Map<Integer, String> told() {
    return told;
  }

  /** What the latest transfers were told, for messages of failures. */
  List<String> lastTold() {
    int next = numbers.get();
    List<String> last = new ArrayList<>(List.of(lastFailure));
    for (int number = Math.max(0, next - 10); number < next; number++) {
      last.add(number + ": " + told.getOrDefault(number, "nothing yet"));
    }
    return last;
  }

  /** Whether the client knows for sure that its transfer was rolled back. */
  static boolean isRefused(String answer) {
    return answer.endsWith("before COMMIT")
        || (answer.contains(" reported ") && !answer.startsWith(UNKNOWN));
  }

  @Override
  public void close() {
    over = true;
    resume();
  }
}
