package io.shardmark.driver.servers;

import io.shardmark.config.Secret;
import io.shardmark.sql.embedded.EmbeddedServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** One real PostgreSQL server for all tests of this JVM; it ends with it. */
public final class SharedPostgres {
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private SharedPostgres() {}

  private static final class Holder {
    // Ends with this process, however that ends: see EmbeddedServer.
    static final EmbeddedServer SERVER =
        EmbeddedServer.start(
            "embedded:postgres?fsync=off&set.scram_iterations=1",
            "postgres",
            new Secret("postgres"),
            "postgres",
            100,
            line -> {});
  }

  static int port() {
    return Holder.SERVER.port();
  }

  /** The user postgres has the password postgres. */
  public static String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port() + "/" + database;
  }

  /** A connection of the superuser to an existing database. */
  public static Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(url(database), "postgres", "postgres");
  }

  /** Makes a new, empty database; returns its name. */
  public static String newDatabase() throws SQLException {
    String name = "test" + DATABASES.incrementAndGet();
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    }
    return name;
  }
}
