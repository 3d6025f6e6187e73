package io.shardmark.driver.tpcc.acid;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.FirstLine;
import io.shardmark.driver.acid.AcidTests;
import io.shardmark.driver.acid.Crash;
import io.shardmark.driver.results.AcidResult;
import io.shardmark.driver.results.AcidVerdict;
import io.shardmark.driver.tpcc.acid.Breakpoint.Resume;
import io.shardmark.driver.tpcc.acid.TestSession.Running;
import io.shardmark.driver.tpcc.input.NewOrder;
import io.shardmark.sql.jdbc.ConnectionSource;
import io.shardmark.sql.jdbc.FirstValue;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * TPC-C 3.5: a load of New-Orders whose acknowledgements the driver records on its own disk, a
 * crash, a restart. Then every recorded order must be there, once and whole.
 */
final class DurabilityTests {
  private static final int SESSIONS = 8;
  private static final int LINES = 5;
  private static final Duration LONGEST_LOAD = Duration.ofMinutes(5);

  /**
   * Crash recovery replays what a checkpoint has not covered; on a slow disk that takes minutes.
   */
  private static final Duration LONGEST_RECOVERY = Duration.ofMinutes(30);

  private static final String STARTED =
      "SELECT extract(epoch FROM pg_postmaster_start_time())::numeric(20, 6)";

  private final ConnectionSource connections;
  private final DatabaseKind database;
  private final boolean severalServers;
  private final int orders;
  private final Path record;

  /**
   * @param orders acknowledged before the crash, from 1
   * @param record file of the acknowledged orders; written anew by each test
   */
  DurabilityTests(AcidTests.Target target, int orders, Path record) {
    this.connections = target.connections();
    this.database = target.database();
    this.severalServers = target.severalServers();
    this.orders = orders;
    this.record = record;
  }

  /** Runs the test with one way to crash. */
  AcidResult run(Crash crash) throws InterruptedException {
    String title = "crash of " + crash.name();
    List<Thread> load = new ArrayList<>();
    List<String> failures = new CopyOnWriteArrayList<>();
    CountDownLatch stop = new CountDownLatch(1);
    try (OrderRecord acknowledged = new OrderRecord(record)) {
      String startedBefore = startTime();
      int warehouses = warehouses();
      for (int session = 0; session < SESSIONS; session++) {
        load.add(startSession(session, warehouses, acknowledged, failures, stop));
      }
      if (!acknowledged.await(orders, LONGEST_LOAD.toMillis())) {
        return error(
            title,
            "%d of %d orders were acknowledged within %d minutes%s"
                .formatted(
                    acknowledged.orders().size(),
                    orders,
                    LONGEST_LOAD.toMinutes(),
                    failures.isEmpty() ? "" : ": " + failures.get(0)));
      }
      String failure = "";
      try {
        crash.crash();
      } catch (
          IOException e) { // a command may lose the machine that it crashes: what is up says more
        failure = FirstLine.of(e);
      }
      stop.countDown();
      crash.restart();
      for (Thread thread : load) {
        thread.join();
      }
      awaitDatabase();
      String startedAfter = startTime();
      if (!failure.isEmpty() && startedAfter.equals(startedBefore)) {
        return error(title, failure);
      }
      if (!startedBefore.isEmpty() && startedAfter.equals(startedBefore)) {
        return error(title, "nothing crashed: the server has run since before the crash command");
      }
      return judged(title, acknowledged.orders());
    } catch (SQLException | ConfigException | IOException e) {
      return error(title, FirstLine.of(e));
    } finally {
      stop.countDown();
    }
  }

  private static AcidResult error(String title, String outcome) {
    return new AcidResult("3.5", title, AcidVerdict.ERROR, outcome);
  }

  private AcidResult judged(String title, List<List<Integer>> acknowledged) throws SQLException {
    List<String> wrong = new ArrayList<>();
    try (Connection connection = connections.open()) {
      TestData data = new TestData(connection, new Random(0));
      for (List<Integer> key : acknowledged) {
        int times = data.timesWhole(key);
        if (times != 1) {
          wrong.add("order %d of district %d, warehouse %d".formatted(key.toArray()));
        }
      }
    }
    return new AcidResult(
        "3.5",
        title,
        wrong.isEmpty() ? AcidVerdict.PASS : AcidVerdict.FAIL,
        wrong.isEmpty()
            ? "all %d acknowledged orders are there, once and whole".formatted(acknowledged.size())
            : "%d of %d acknowledged orders are lost or not whole, such as %s; all: %s"
                .formatted(wrong.size(), acknowledged.size(), wrong.get(0), record));
  }

  private Thread startSession(
      int index,
      int warehouses,
      OrderRecord acknowledged,
      List<String> failures,
      CountDownLatch stop) {
    Thread thread =
        new Thread(
            () -> order(index, warehouses, acknowledged, failures, stop), "durability-" + index);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Sends New-Orders until the server fails one after the crash, or the load is to stop. */
  private void order(
      int index,
      int warehouses,
      OrderRecord acknowledged,
      List<String> failures,
      CountDownLatch stop) {
    Random random = new Random(index);
    try (TestSession session = new TestSession(connections, database)) {
      while (stop.getCount() > 0) {
        Running running = session.begin(randomOrder(random, warehouses), Breakpoint.beforeCommit());
        running.resume(Resume.CONTINUE);
        TransactionEnd end = running.end();
        if (end.isDone()) {
          acknowledged.add(session.orderKey());
        } else if (!end.isAborted()) {
          failures.add(end.message());
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (SQLException | IOException | RuntimeException e) {
      failures.add(FirstLine.of(e));
    }
  }

  private static NewOrder randomOrder(Random random, int warehouses) {
    int[] items = random.ints(LINES, 1, 100_001).toArray();
    return TestData.order(
        random.nextInt(warehouses) + 1,
        random.nextInt(10) + 1,
        random.nextInt(3000) + 1,
        items,
        random.nextInt(warehouses) + 1);
  }

  private int warehouses() throws SQLException {
    try (Connection connection = connections.open()) {
      return (int) FirstValue.number(connection, "SELECT count(*) FROM bmsql_warehouse");
    }
  }

  /** When the one server started; empty where it does not say so in PostgreSQL's way. */
  private String startTime() throws SQLException {
    if (database != DatabaseKind.POSTGRES || severalServers) {
      return "";
    }
    try (Connection connection = connections.open()) {
      return FirstValue.text(connection, STARTED);
    }
  }

  /** Waits until the database answers about its districts, which are on all shards. */
  private void awaitDatabase() throws SQLException, InterruptedException {
    long end = System.nanoTime() + LONGEST_RECOVERY.toNanos();
    while (true) {
      try (Connection connection = connections.open()) {
        FirstValue.number(connection, "SELECT sum(d_next_o_id) FROM bmsql_district");
        return;
      } catch (SQLException | ConfigException e) {
        if (System.nanoTime() > end) {
          throw new SQLException(
              "the database did not come back within %d minutes: %s"
                  .formatted(LONGEST_RECOVERY.toMinutes(), FirstLine.of(e)),
              e);
        }
        TimeUnit.MILLISECONDS.sleep(200);
      }
    }
  }
}
