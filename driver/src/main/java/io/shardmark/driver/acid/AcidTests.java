package io.shardmark.driver.acid;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.FirstLine;
import io.shardmark.driver.acid.Breakpoint.Resume;
import io.shardmark.sql.jdbc.ConnectionSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** The tests of atomicity and isolation, one after the other. */
public final class AcidTests {
  private final ConnectionSource connections;
  private final DatabaseKind database;
  private final RandomGenerator random;
  private final Consumer<AcidResult> results;

  /**
   * @param connections to a database with a load; nothing else should be running on it
   * @param random draws district, customer and items
   * @param results gets each result when the test has ended
   */
  public AcidTests(
      ConnectionSource connections,
      DatabaseKind database,
      RandomGenerator random,
      Consumer<AcidResult> results) {
    this.connections = connections;
    this.database = database;
    this.random = random;
    this.results = results;
  }

  /** One test, which gives its result or cannot be carried out. */
  @FunctionalInterface
  private interface Test {
    AcidResult run() throws SQLException, InterruptedException;
  }

  /**
   * Runs TPC-C 3.2.2 and 3.4.2. A test that cannot be carried out becomes an {@link
   * AcidVerdict#ERROR}, and the next one follows.
   *
   * @throws SQLException if the database cannot be read at all
   */
  public void run() throws SQLException, InterruptedException {
    try (Connection connection = connections.open()) {
      int level = connection.getTransactionIsolation();
      TestData data = new TestData(connection, random);
      AtomicityTests atomicity = new AtomicityTests(connections, database, data);
      run("3.2.2.1", () -> atomicity.payment("3.2.2.1", Resume.CONTINUE));
      run("3.2.2.2", () -> atomicity.payment("3.2.2.2", Resume.ROLL_BACK));
      IsolationTests isolation = new IsolationTests(connections, database, data);
      run("3.4.2.1", () -> isolation.orderStatusMeetsNewOrder("3.4.2.1", Resume.CONTINUE));
      run("3.4.2.2", () -> isolation.orderStatusMeetsNewOrder("3.4.2.2", Resume.ROLL_BACK));
      run("3.4.2.3", () -> isolation.newOrderMeetsNewOrder("3.4.2.3", Resume.CONTINUE));
      run("3.4.2.4", () -> isolation.newOrderMeetsNewOrder("3.4.2.4", Resume.ROLL_BACK));
      run("3.4.2.5", () -> isolation.paymentMeetsDelivery("3.4.2.5", Resume.CONTINUE));
      run("3.4.2.6", () -> isolation.paymentMeetsDelivery("3.4.2.6", Resume.ROLL_BACK));
      run("3.4.2.7", () -> isolation.pricesStay(level >= Connection.TRANSACTION_REPEATABLE_READ));
      boolean snapshot = hidesPhantoms(level);
      run("3.4.2.8", () -> isolation.noPhantomOrder(snapshot));
      run("3.4.2.9", () -> isolation.noPhantomOpenOrder(snapshot));
    }
  }

  /** REPEATABLE READ hides them where it is a snapshot: in PostgreSQL, MySQL and MariaDB. */
  private boolean hidesPhantoms(int level) {
    return level == Connection.TRANSACTION_SERIALIZABLE
        || (level == Connection.TRANSACTION_REPEATABLE_READ
            && (database == DatabaseKind.POSTGRES
                || database == DatabaseKind.MYSQL
                || database == DatabaseKind.MARIADB));
  }

  private void run(String clause, Test test) throws InterruptedException {
    AcidResult result;
    try {
      result = test.run();
    } catch (SQLException | AcidTestException e) {
      result = new AcidResult(clause, "not carried out", AcidVerdict.ERROR, FirstLine.of(e));
    }
    results.accept(result);
  }
}
