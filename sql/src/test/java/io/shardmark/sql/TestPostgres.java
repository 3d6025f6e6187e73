package io.shardmark.sql;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.IsolationLevel;
import io.shardmark.config.Secret;
import io.shardmark.config.ShardMapUse;
import io.shardmark.sql.embedded.EmbeddedServer;
import io.shardmark.sql.script.ScriptLocator;
import io.shardmark.sql.script.ScriptRunner;
import io.shardmark.sql.script.ScriptStep;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** One real PostgreSQL server for all tests of this JVM; it ends with it. */
public final class TestPostgres {
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private TestPostgres() {}

  private static final class Holder {
    // Ends with this process, however that ends: see EmbeddedServer.
    static final EmbeddedServer SERVER =
        EmbeddedServer.start(
            "embedded:postgres?fsync=off&set.scram_iterations=1&set.max_prepared_transactions=10",
            "postgres",
            new Secret("postgres"),
            "postgres",
            100,
            line -> {});
  }

  public static int port() {
    return Holder.SERVER.port();
  }

  /** The configuration for a database of that name, whether it exists or not. */
  public static ConnectionConfig config(String database) {
    return new ConnectionConfig(
        DatabaseKind.POSTGRES,
        "org.postgresql.Driver",
        "jdbc:postgresql://127.0.0.1:" + port() + "/" + database,
        "postgres",
        new Secret("postgres"),
        Duration.ofMinutes(2),
        Duration.ZERO,
        IsolationLevel.DEFAULT,
        ShardMapUse.AUTO);
  }

  /** Makes a new, empty database. */
  public static ConnectionConfig newDatabase() throws SQLException {
    String name = "test" + DATABASES.incrementAndGet();
    try (Connection connection = open(config("postgres"));
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
    }
    return config(name);
  }

  public static Connection open(ConnectionConfig config) throws SQLException {
    return DriverManager.getConnection(config.url(), config.user(), config.password().value());
  }

  /** Runs built-in steps and returns what they showed. */
  public static String runSteps(Connection connection, Iterable<ScriptStep> steps)
      throws SQLException {
    return runSteps(
        connection,
        steps,
        new ScriptLocator(Path.of("target"), DatabaseKind.POSTGRES, ScriptStep.scripts()));
  }

  /** The same with a folder that is looked in first. */
  public static String runSteps(Connection connection, Iterable<ScriptStep> steps, String folder)
      throws SQLException {
    return runSteps(
        connection,
        steps,
        ScriptLocator.forShards(
            Path.of("target"), DatabaseKind.POSTGRES, ScriptStep.scripts(), folder));
  }

  private static String runSteps(
      Connection connection, Iterable<ScriptStep> steps, ScriptLocator locator)
      throws SQLException {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(shown, true, StandardCharsets.UTF_8)) {
      ScriptRunner runner = new ScriptRunner(connection, out);
      for (ScriptStep step : steps) {
        runner.run(locator.locate(step));
      }
    }
    return shown.toString(StandardCharsets.UTF_8);
  }
}
