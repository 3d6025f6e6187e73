package io.shardmark.driver.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.TransactionExecutor;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Kills a primary (SIGKILL) under load, promotes its standby, and counts the rows there whose
 * commit the primary had acknowledged. {@code -Dfailovers=20} does it so many times with each way
 * of waiting for the standby, and as often without.
 */
final class FailoverTest {
  private static final int FAILOVERS = Integer.getInteger("failovers", 1);
  private static final boolean REPEATED = FAILOVERS > 1;
  private static final int TERMINALS = 4;
  private static final int MOST_TRANSACTIONS = 400;

  /** The load on a primary, until that is gone. */
  private static final class Load {
    final ReplicationWorkload workload;
    final Semaphore transactions = new Semaphore(0);
    final AtomicInteger running = new AtomicInteger(TERMINALS);
    final List<Thread> threads = new ArrayList<>();

    Load(Pair pair, StandbyCommit commit) throws SQLException {
      workload = pair.workload(Map.of("standbyCommit", commit.toString()));
      try (Connection connection = pair.connectPrimary()) {
        connection.setAutoCommit(false);
        workload.prepare(connection);
      }
      workload.follower(pair.endpoints()).orElseThrow().close(); // the standby is ready
      for (int i = 0; i < TERMINALS; i++) {
        Terminal terminal = workload.newTerminal(i);
        threads.add(new Thread(() -> run(pair, terminal)));
      }
    }

    private void run(Pair pair, Terminal terminal) {
      try (Connection connection = pair.connectPrimary()) {
        TransactionExecutor executor = workload.newExecutor(connection);
        while (true) {
          executor.execute(terminal.next());
          transactions.release();
        }
      } catch (SQLException e) {
        // The primary is gone.
      } finally {
        running.decrementAndGet();
        transactions.release(MOST_TRANSACTIONS); // nobody waits for what will not come
      }
    }

    void start() {
      threads.forEach(Thread::start);
    }

    void await(int count) throws InterruptedException {
      transactions.acquire(count);
      assertThat(running).as("terminals that still run").hasValue(TERMINALS);
    }

    void join() throws InterruptedException {
      for (Thread thread : threads) {
        thread.join();
      }
    }

    long acknowledged() {
      long rows = 0;
      for (int lane = 0; lane < TableLayout.LANES; lane++) {
        rows += workload.acknowledged(lane);
      }
      return rows;
    }

    /** Acknowledged rows that a server does not have. */
    long missing(Connection connection) throws SQLException {
      BitSet[] found = new BitSet[TableLayout.LANES];
      for (int lane = 0; lane < TableLayout.LANES; lane++) {
        found[lane] = new BitSet();
      }
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT c1, c9 FROM t1")) {
        while (rows.next()) {
          found[TableLayout.laneOf(rows.getInt(1))].set(rows.getInt(2));
        }
      }
      long missing = 0;
      for (int lane = 0; lane < TableLayout.LANES; lane++) {
        int acknowledged = workload.acknowledged(lane);
        missing += acknowledged - found[lane].get(1, acknowledged + 1).cardinality();
      }
      return missing;
    }
  }

  /** Kills the primary after so many transactions; acknowledged rows that are missing then. */
  private static long failover(StandbyCommit commit, int transactions)
      throws SQLException, IOException, InterruptedException {
    try (Pair pair = Pair.start("physical", 1)) {
      Load load = new Load(pair, commit);
      load.start();
      try {
        load.await(transactions);
      } finally {
        pair.servers().primary().killHard();
        load.join();
      }
      pair.servers().promote();
      try (Connection connection = pair.connectStandby()) {
        long missing = load.missing(connection);
        System.out.printf(
            "standbyCommit=%s: %d acknowledged rows, %d missing on the promoted standby%n",
            commit, load.acknowledged(), missing);
        assertThat(load.acknowledged()).isGreaterThanOrEqualTo(10L * transactions);
        return missing;
      }
    }
  }

  @Test
  void synchronousLosesNothing() throws Exception {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    List<StandbyCommit> ways =
        List.of(StandbyCommit.ON, StandbyCommit.REMOTE_APPLY, StandbyCommit.REMOTE_WRITE);
    for (int i = 0; i < FAILOVERS; i++) {
      for (StandbyCommit way : ways.subList(0, REPEATED ? ways.size() : 1)) {
        int transactions = random.nextInt(50, MOST_TRANSACTIONS);
        assertThat(failover(way, transactions)).as("seed %d, %s", seed, way).isZero();
      }
    }
  }

  /** What is lost in a run is chance; that it can be is not. */
  @Test
  void asynchronousLosesWhatTheStandbyHadNotReceived() throws Exception {
    for (int i = 0; REPEATED && i < FAILOVERS; i++) {
      failover(StandbyCommit.ASYNC, 200);
    }
    try (Pair pair = Pair.start("physical", 1)) {
      Load load = new Load(pair, StandbyCommit.ASYNC);
      pair.servers().standby().killHard();
      load.start();
      try {
        load.await(50);
      } finally {
        pair.servers().primary().killHard();
        load.join();
      }
      pair.servers().standby().restart();
      pair.servers().promote();
      try (Connection connection = pair.connectStandby()) {
        assertThat(load.missing(connection)).isEqualTo(load.acknowledged()).isPositive();
      }
    }
  }
}
