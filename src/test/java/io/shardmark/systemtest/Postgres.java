package io.shardmark.systemtest;

import static org.awaitility.Awaitility.await;

import io.shardmark.config.Secret;
import io.shardmark.sql.embedded.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One PostgreSQL server for all tests of this JVM, which it ends with, and databases in it: empty
 * ones, and copies of those that {@code driver.jar build} loaded once.
 */
final class Postgres {
  static final String USER = "bench";
  static final String PASSWORD = "PW-very-secret-4711";

  private static final AtomicInteger DATABASES = new AtomicInteger();

  /** By the keys that they were built with, the databases that others are copied from. */
  private static final Map<Map<String, String>, String> TEMPLATES = new ConcurrentHashMap<>();

  /** Of pgbench's tables. */
  private static final Map<String, String> BANK = Map.of("workload", "tpcb", "rowsPerTable", "100");

  private Postgres() {}

  private static final class Server {
    // Ends with this process, however that ends: see EmbeddedServer.
    static final EmbeddedServer INSTANCE = start();

    private static EmbeddedServer start() {
      return EmbeddedServer.start(
          "embedded:postgres?fsync=off&set.scram_iterations=1&memory=1GB",
          USER,
          new Secret(PASSWORD),
          USER,
          150,
          line -> {});
    }
  }

  private static String load(Map<String, String> keys) {
    try {
      String name = newDatabase();
      Map<String, String> properties =
          keys.equals(BANK) ? bankProperties(url(name)) : properties(name);
      properties.putAll(keys);
      new Workspace(Files.createTempDirectory("template"))
          .properties(properties)
          .here("build")
          .succeeded();
      return name;
    } catch (IOException | SQLException e) {
      throw new IllegalStateException("cannot load the template", e);
    }
  }

  static String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + Server.INSTANCE.port() + "/" + database;
  }

  static int port() {
    return Server.INSTANCE.port();
  }

  static Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(url(database), USER, PASSWORD);
  }

  static void execute(String database, String... statements) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** A new, empty database. */
  static String newDatabase() throws SQLException {
    String name = "test" + DATABASES.incrementAndGet();
    execute(USER, "CREATE DATABASE " + name);
    return name;
  }

  /** A new database with one loaded warehouse. */
  static String loadedDatabase() throws SQLException {
    return loadedDatabase(1);
  }

  /** A new database with so many loaded warehouses. */
  static String loadedDatabase(int warehouses) throws SQLException {
    return copyOf(Map.of("warehouses", Integer.toString(warehouses)));
  }

  /** A new database for {@link #bankProperties}: small, for what any benchmark shows. */
  static String bank() throws SQLException {
    return copyOf(BANK);
  }

  private static String copyOf(Map<String, String> keys) throws SQLException {
    String template = TEMPLATES.computeIfAbsent(keys, Postgres::load);
    String name = "test" + DATABASES.incrementAndGet();
    execute(USER, "CREATE DATABASE %s TEMPLATE %s STRATEGY FILE_COPY".formatted(name, template));
    return name;
  }

  static void drop(String database) throws SQLException {
    execute(USER, "DROP DATABASE " + database + " WITH (FORCE)");
  }

  /** The number that a query of one row gives. */
  static long number(String database, String query) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Returns when so many sessions of a database wait for locks. */
  static void awaitSessionsWaitingForALock(String database, int count) {
    String waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = '%s'"
            .formatted(database);
    await("sessions that wait for locks")
        .atMost(DriverProcess.PATIENCE)
        .until(() -> number(USER, waiting), now -> now >= count);
  }

  /** Returns when so many more New-Orders have committed. */
  static void awaitMoreOrders(String database, int count) throws SQLException {
    String orders = "SELECT sum(d_next_o_id) FROM bmsql_district";
    long before = number(database, orders);
    await("more New-Orders")
        .atMost(DriverProcess.PATIENCE)
        .until(() -> number(database, orders), now -> now >= before + count);
  }

  /** A short run of two terminals against a database here; tests add and replace keys. */
  static Map<String, String> properties(String database) {
    return properties("postgres", url(database));
  }

  /** The same of pgbench's transaction, whose tables take no time to load. */
  static Map<String, String> tpcbProperties(String url) {
    Map<String, String> properties = properties("postgres", url);
    properties.keySet().removeIf(key -> key.matches("warehouses|terminalWarehouse.*|.*Weight"));
    properties.put("workload", "tpcb");
    return properties;
  }

  /** The same of few rows. */
  static Map<String, String> bankProperties(String url) {
    Map<String, String> properties = tpcbProperties(url);
    properties.putAll(BANK);
    return properties;
  }

  static Map<String, String> properties(String db, String url) {
    Map<String, String> properties = new HashMap<>();
    properties.put("db", db);
    properties.put("driver", "org.postgresql.Driver");
    properties.put("conn", url);
    properties.put("user", USER);
    properties.put("password", PASSWORD);
    properties.put("warehouses", "1");
    properties.put("loadWorkers", "2");
    properties.put("terminals", "2");
    properties.put("runTxnsPerTerminal", "50");
    properties.put("runMins", "0");
    properties.put("limitTxnsPerMin", "0");
    properties.put("terminalWarehouseFixed", "true");
    properties.put("newOrderWeight", "45");
    properties.put("paymentWeight", "43");
    properties.put("orderStatusWeight", "4");
    properties.put("deliveryWeight", "4");
    properties.put("stockLevelWeight", "4");
    properties.put("resultDirectory", "result");
    return properties;
  }
}
