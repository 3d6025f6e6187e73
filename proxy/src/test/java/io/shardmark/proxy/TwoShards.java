package io.shardmark.proxy;

import io.shardmark.config.Secret;
import io.shardmark.sql.embedded.EmbeddedServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One real server for all tests of this JVM, and databases on it, two by two, as shards. It ends
 * with this process, however that ends.
 */
public final class TwoShards {
  private static final String USER = "postgres";
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String first;
  private final String second;

  private TwoShards(String first, String second) {
    this.first = first;
    this.second = second;
  }

  private static final class Holder {
    static final EmbeddedServer SERVER =
        EmbeddedServer.start(
            "embedded:postgres?fsync=off&set.scram_iterations=1",
            USER,
            new Secret(USER),
            USER,
            100,
            line -> {});
  }

  /** Two new, empty databases. */
  public static TwoShards create() throws SQLException {
    int number = COUNT.incrementAndGet();
    TwoShards shards = new TwoShards("a" + number, "b" + number);
    try (Connection connection = open(USER);
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + shards.first + " strategy file_copy");
      statement.execute("create database " + shards.second + " strategy file_copy");
    }
    return shards;
  }

  /** A proxy.yaml without listen; further lines can follow. */
  public String yaml() {
    return """
        shards:
          - {name: s1, port: %d, database: %s}
          - {name: s2, port: %d, database: %s}
        users:
          - {name: postgres, password: postgres}
        """
        .formatted(port(), first, port(), second);
  }

  public int port() {
    return Holder.SERVER.port();
  }

  /** Runs statements on one of them, 0 or 1. */
  public void execute(int shard, String... sql) throws SQLException {
    try (Connection connection = connect(shard);
        Statement statement = connection.createStatement()) {
      for (String one : sql) {
        statement.execute(one);
      }
    }
  }

  public void executeOnBoth(String... sql) throws SQLException {
    execute(0, sql);
    execute(1, sql);
  }

  public Connection connect(int shard) throws SQLException {
    return open(shard == 0 ? first : second);
  }

  private static Connection open(String database) throws SQLException {
    return DriverManager.getConnection(Holder.SERVER.jdbcUrl(database), USER, USER);
  }
}
