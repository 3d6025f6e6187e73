package io.shardmark.driver.replication;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.Secret;
import io.shardmark.driver.benchmark.Endpoints;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.sql.embedded.EmbeddedConn;
import io.shardmark.sql.embedded.EmbeddedPair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** A primary with its standby for a test, and the empty tables of a workload on it. */
record Pair(EmbeddedPair servers, String form) implements AutoCloseable {
  private static final Path SCRIPTS = Path.of("..", "sql", "replication");
  private static final String USER = "bench";
  private static final String PASSWORD = "secret";

  /**
   * @param form {@code physical} or {@code logical}, and further options
   * @param tables how many
   */
  static Pair start(String form, int tables) throws SQLException, IOException {
    Pair pair =
        new Pair(
            (EmbeddedPair)
                EmbeddedConn.start(
                    "embedded:replicated?fsync=off&memory=256MB&standby=" + form,
                    USER,
                    new Secret(PASSWORD),
                    "bench",
                    20,
                    line -> {}),
            form);
    try (Connection connection = pair.connectPrimary()) {
      createTables(connection, tables);
    }
    if (form.startsWith("logical")) { // here, since the scripts are not on the test's class path
      try (Connection connection = pair.connectStandby()) {
        createTables(connection, tables);
      }
    }
    return pair;
  }

  private static void createTables(Connection connection, int tables)
      throws SQLException, IOException {
    String script =
        Files.readString(SCRIPTS.resolve("sql.postgres/wideTableCreates.sql"))
            + Files.readString(SCRIPTS.resolve("sql.common/wideIndexCreates.sql"));
    try (Statement statement = connection.createStatement()) {
      for (int table = 1; table <= tables; table++) {
        statement.execute(script.replace("${n}", Integer.toString(table)));
      }
    }
  }

  Connection connectPrimary() throws SQLException {
    return DriverManager.getConnection(servers.jdbcUrl(), USER, PASSWORD);
  }

  Connection connectStandby() throws SQLException {
    return DriverManager.getConnection(servers.standby().jdbcUrl(), USER, PASSWORD);
  }

  static BenchmarkProperties properties(String conn, Map<String, String> more) {
    String text =
        """
        workload=replication
        db=postgres
        driver=org.postgresql.Driver
        conn=%s
        user=%s
        password=%s
        terminals=4
        runMins=0
        runTxnsPerTerminal=10
        seed=5
        """
            .formatted(conn, USER, PASSWORD);
    return BenchmarkProperties.parse(Benchmarks.KEYS, Path.of("props"), text, more);
  }

  ReplicationWorkload workload(Map<String, String> more) {
    return new ReplicationWorkload(
        Settings.of(new Replication(), properties(servers.jdbcUrl(), more)));
  }

  Endpoints endpoints() {
    ConnectionConfig primary = properties(servers.jdbcUrl(), Map.of()).connection();
    return new Endpoints(primary, servers.standbyUrls());
  }

  @Override
  public void close() {
    servers.close();
  }
}
