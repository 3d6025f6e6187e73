package io.shardmark.driver.tpcc.acid;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.FirstLine;
import io.shardmark.config.PropertyReader;
import io.shardmark.config.tpcc.TpccKey;
import io.shardmark.driver.acid.AcidTests;
import io.shardmark.driver.acid.CommandCrash;
import io.shardmark.driver.acid.Crash;
import io.shardmark.driver.results.AcidResult;
import io.shardmark.driver.results.AcidVerdict;
import io.shardmark.driver.tpcc.acid.Breakpoint.Resume;
import io.shardmark.sql.jdbc.ConnectionSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** The tests of atomicity and isolation, one after the other, and that of durability. */
public final class TpccAcidTests implements AcidTests {
  private final List<Crash> crashes;
  private final int orders;

  /**
   * @param orders acknowledged before a crash, from 1
   */
  TpccAcidTests(List<Crash> crashes, int orders) {
    this.crashes = List.copyOf(crashes);
    this.orders = orders;
  }

  /**
   * @throws io.shardmark.config.ConfigException if the keys contradict each other
   */
  public static TpccAcidTests of(PropertyReader values) {
    return new TpccAcidTests(
        values.has(TpccKey.ACID_CRASH)
            ? List.of(
                new CommandCrash(
                    values.required(TpccKey.ACID_CRASH, "a command"),
                    values.required(TpccKey.ACID_RESTART, "a command that starts the system again"),
                    CommandCrash.LIMIT))
            : List.of(),
        values.integer(TpccKey.ACID_ORDERS));
  }

  @Override
  public List<Crash> crashes() {
    return crashes;
  }

  @Override
  public AcidResult durability(Target target, Path record, Crash crash)
      throws InterruptedException {
    return new DurabilityTests(target, orders, record).run(crash);
  }

  /** One test, which gives its result or cannot be carried out. */
  @FunctionalInterface
  private interface Test {
    AcidResult run() throws SQLException, InterruptedException;
  }

  /** Runs TPC-C 3.2.2 and 3.4.2. */
  @Override
  public void run(Target target, Consumer<AcidResult> results)
      throws SQLException, InterruptedException {
    ConnectionSource connections = target.connections();
    DatabaseKind database = target.database();
    try (Connection connection = connections.open()) {
      int level = connection.getTransactionIsolation();
      TestData data = new TestData(connection, new SplittableRandom());
      AtomicityTests atomicity = new AtomicityTests(connections, database, data);
      run(results, "3.2.2.1", () -> atomicity.payment("3.2.2.1", Resume.CONTINUE));
      run(results, "3.2.2.2", () -> atomicity.payment("3.2.2.2", Resume.ROLL_BACK));
      IsolationTests isolation = new IsolationTests(connections, database, data);
      run(results, "3.4.2.1", () -> isolation.orderStatusMeetsNewOrder("3.4.2.1", Resume.CONTINUE));
      run(
          results,
          "3.4.2.2",
          () -> isolation.orderStatusMeetsNewOrder("3.4.2.2", Resume.ROLL_BACK));
      run(results, "3.4.2.3", () -> isolation.newOrderMeetsNewOrder("3.4.2.3", Resume.CONTINUE));
      run(results, "3.4.2.4", () -> isolation.newOrderMeetsNewOrder("3.4.2.4", Resume.ROLL_BACK));
      run(results, "3.4.2.5", () -> isolation.paymentMeetsDelivery("3.4.2.5", Resume.CONTINUE));
      run(results, "3.4.2.6", () -> isolation.paymentMeetsDelivery("3.4.2.6", Resume.ROLL_BACK));
      run(
          results,
          "3.4.2.7",
          () -> isolation.pricesStay(level >= Connection.TRANSACTION_REPEATABLE_READ));
      boolean snapshot = hidesPhantoms(database, level);
      run(results, "3.4.2.8", () -> isolation.noPhantomOrder(snapshot));
      run(results, "3.4.2.9", () -> isolation.noPhantomOpenOrder(snapshot));
    }
  }

  /** REPEATABLE READ hides them where it is a snapshot: in PostgreSQL, MySQL and MariaDB. */
  private static boolean hidesPhantoms(DatabaseKind database, int level) {
    return level == Connection.TRANSACTION_SERIALIZABLE
        || (level == Connection.TRANSACTION_REPEATABLE_READ
            && (database == DatabaseKind.POSTGRES
                || database == DatabaseKind.MYSQL
                || database == DatabaseKind.MARIADB));
  }

  private static void run(Consumer<AcidResult> results, String clause, Test test)
      throws InterruptedException {
    AcidResult result;
    try {
      result = test.run();
    } catch (SQLException | AcidTestException e) {
      result = new AcidResult(clause, "not carried out", AcidVerdict.ERROR, FirstLine.of(e));
    }
    results.accept(result);
  }
}
