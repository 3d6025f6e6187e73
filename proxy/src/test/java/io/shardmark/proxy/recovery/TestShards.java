package io.shardmark.proxy.recovery;

import io.shardmark.config.Secret;
import io.shardmark.sql.embedded.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Shards that are databases of one real server, which ends with this process. So what two shards
 * share (names of prepared transactions, pg_locks) is in every test.
 */
public final class TestShards {
  private static final AtomicInteger DATABASES = new AtomicInteger();
  private static final String USER = "bench";

  private final List<Database> shards = new ArrayList<>();

  private static final class Holder {
    static final EmbeddedServer SERVER =
        EmbeddedServer.start(
            "embedded:postgres?fsync=off&set.scram_iterations=1"
                + "&set.max_prepared_transactions=50&set.deadlock_timeout=200&set.wal_level=logical",
            USER,
            new Secret(USER),
            "bench",
            100,
            line -> {});
  }

  private record Database(String name, String database, String user) implements ShardAccess {
    Database(String name, String database) {
      this(name, database, USER);
    }

    @Override
    public Connection open() throws SQLException {
      return DriverManager.getConnection(Holder.SERVER.jdbcUrl(database), user, user);
    }
  }

  private TestShards() {}

  /** New, empty databases as shards s0, s1, ... */
  public static TestShards create(int count) throws SQLException {
    TestShards made = new TestShards();
    try (Connection connection = new Database("", "bench").open();
        Statement statement = connection.createStatement()) {
      for (int shard = 0; shard < count; shard++) {
        String database = "shard" + DATABASES.incrementAndGet();
        statement.execute("CREATE DATABASE " + database + " STRATEGY file_copy");
        made.shards.add(new Database("s" + shard, database));
      }
    }
    return made;
  }

  /** From now on the role of the shards may use the replication protocol. */
  public static void allowReplication() throws SQLException, IOException {
    String password =
        Files.readString(Holder.SERVER.logFile().resolveSibling("administrator")).strip();
    try (Connection superuser =
            DriverManager.getConnection(
                Holder.SERVER.jdbcUrl(), "shardmark_administrator", password);
        Statement statement = superuser.createStatement()) {
      statement.execute("ALTER ROLE " + USER + " REPLICATION");
    }
  }

  public List<ShardAccess> all() {
    return List.copyOf(shards);
  }

  /** The same under another role, which may do nothing but log in. */
  public List<ShardAccess> as(String role) throws SQLException {
    execute(
        shards.get(0),
        "DO $$ BEGIN CREATE ROLE %1$s LOGIN PASSWORD '%1$s'; EXCEPTION WHEN duplicate_object THEN END $$"
            .formatted(role));
    List<ShardAccess> access = new ArrayList<>();
    shards.forEach(shard -> access.add(new Database(shard.name(), shard.database(), role)));
    return access;
  }

  public ShardAccess shard(int index) {
    return shards.get(index);
  }

  /** Runs it on every shard. */
  public void execute(String sql) throws SQLException {
    for (ShardAccess shard : shards) {
      execute(shard, sql);
    }
  }

  /** Runs it on one shard. */
  public static void execute(ShardAccess shard, String sql) throws SQLException {
    try (Connection connection = shard.open();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The first column of all rows, as text. */
  public static List<String> query(ShardAccess shard, String sql) throws SQLException {
    try (Connection connection = shard.open();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }

  /** Names of all prepared transactions of all shards. */
  public List<String> prepared() throws SQLException {
    List<String> names = new ArrayList<>();
    for (ShardAccess shard : shards) {
      names.addAll(
          query(shard, "SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"));
    }
    return names;
  }
}
