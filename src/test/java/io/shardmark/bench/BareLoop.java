package io.shardmark.bench;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.RunConfig;
import io.shardmark.config.Secret;
import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.tpcc.Tpcc;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What {@code drive-benchmark.sh} lays beside the driver: a thread and a pgjdbc connection for each
 * terminal, and a loop that executes the profile's statements. Inputs are drawn before the start
 * and used again in turns; nothing is paced, recorded, retried, shown or written.
 *
 * <p>Argument: the driver's properties file, of which ramp-up and interval hold. Prints one line of
 * JSON: transactions in the interval, processor time per transaction in it, transactions in all.
 */
public final class BareLoop {
  private static final int INPUTS = 2_000;

  private final List<Transaction> inputs = new ArrayList<>(INPUTS);
  private final AtomicLong executed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  private BareLoop(Terminal terminal) {
    for (int index = 0; index < INPUTS; index++) {
      inputs.add(terminal.next());
    }
  }

  public static void main(String[] arguments)
      throws SQLException, IOException, InterruptedException {
    BenchmarkProperties properties =
        BenchmarkProperties.read(Benchmarks.KEYS, Path.of(arguments[0]), Map.of());
    Tpcc tpcc = new Tpcc();
    Settings settings = Settings.of(tpcc, properties);
    RunConfig config = settings.run();
    Workload workload = tpcc.open(settings);
    try (Connection connection = open(properties)) {
      workload.prepare(connection);
    }
    List<BareLoop> loops = new ArrayList<>();
    for (int index = 0; index < config.terminals(); index++) {
      BareLoop loop = new BareLoop(workload.newTerminal(index));
      Connection connection = open(properties);
      TransactionExecutor executor = workload.newExecutor(connection);
      Thread thread = new Thread(() -> loop.run(connection, executor), "bare-" + index);
      thread.setDaemon(true); // the end of main ends it in mid-transaction
      loops.add(loop);
      thread.start();
    }
    TimeUnit.NANOSECONDS.sleep(config.rampUp().toNanos());
    long before = executed(loops);
    long cpuBefore = cpuNanos();
    TimeUnit.NANOSECONDS.sleep(config.runDuration().toNanos());
    long count = executed(loops) - before;
    long cpu = cpuNanos() - cpuBefore;
    System.out.printf(
        Locale.ROOT,
        "{\"count\": %d, \"seconds\": %.1f, \"micros\": %.1f, \"all\": %d, \"failed\": %d}%n",
        count,
        config.runDuration().toMillis() / 1e3,
        cpu / 1e3 / count,
        executed(loops),
        loops.stream().mapToLong(loop -> loop.failed.get()).sum());
    System.exit(0);
  }

  private static Connection open(BenchmarkProperties properties) throws SQLException {
    Secret password = properties.connection().password();
    Connection connection =
        DriverManager.getConnection(
            properties.connection().url(), properties.connection().user(), password.value());
    connection.setAutoCommit(false);
    return connection;
  }

  private static long executed(List<BareLoop> loops) {
    return loops.stream().mapToLong(loop -> loop.executed.get()).sum();
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }

  /** As the driver counts them: a Delivery and its deferred part are one. */
  private void run(Connection connection, TransactionExecutor executor) {
    for (int at = 0; ; at = (at + 1) % INPUTS) {
      try {
        Outcome outcome = executor.execute(inputs.get(at));
        Transaction followUp = outcome.followUp();
        if (followUp != null) {
          executor.execute(followUp);
        }
        executed.lazySet(executed.get() + 1);
      } catch (SQLException e) {
        failed.incrementAndGet();
        rollBack(connection);
      }
    }
  }

  private static void rollBack(Connection connection) {
    try {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the connection is lost", e);
    }
  }
}
