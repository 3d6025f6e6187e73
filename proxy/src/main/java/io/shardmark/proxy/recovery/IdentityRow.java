package io.shardmark.proxy.recovery;

import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The row by which a database says which shard it is, over a separate connection with one
 * transaction. Belongs to one thread.
 */
final class IdentityRow implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IdentityRow.class);

  private static final String TABLE_MISSING = "SELECT to_regclass('shardmark.shard') IS NULL";
  static final String CREATE_TABLE =
      "CREATE TABLE IF NOT EXISTS shardmark.shard (only_row boolean PRIMARY KEY DEFAULT true"
          + " CHECK (only_row), name text NOT NULL, cluster text NOT NULL,"
          + " since timestamptz NOT NULL DEFAULT now())";
  private static final String READ = "SELECT name, cluster FROM shardmark.shard";
  static final String INSERT = "INSERT INTO shardmark.shard (name, cluster) VALUES (?, ?)";

  /** This session's own mark, and those of sessions that hold advisory locks of the database. */
  private static final String OWN =
      "SELECT pid || ' ' || backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()";

  private static final String HOLDERS =
      "SELECT a.pid || ' ' || a.backend_start FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
          + " WHERE l.locktype = 'advisory' AND l.granted AND l.database ="
          + " (SELECT oid FROM pg_database WHERE datname = current_database())";

  private final String shard;
  private final Connection connection;
  private String own = "";
  private Optional<String> name = Optional.empty();
  private Optional<String> cluster = Optional.empty();
  private boolean readable = true;
  private boolean used;

  /** Takes the connection over. */
  IdentityRow(String shard, Connection connection) {
    this.shard = shard;
    this.connection = connection;
  }

  /** As the configuration calls it. */
  String shard() {
    return shard;
  }

  /** As the database calls itself, if it does. */
  Optional<String> name() {
    return name;
  }

  Optional<String> cluster() {
    return cluster;
  }

  /** Whether users have tables there. */
  boolean isUsed() {
    return used;
  }

  /** Whether it has its name, or may keep it to itself. */
  boolean isIdentified() {
    return name.isPresent() || !readable;
  }

  /**
   * Keeps other proxies out until this is closed.
   *
   * @throws SQLException with {@link SqlState#LOCK_NOT_AVAILABLE} if one is there for too long
   */
  void lock(Duration limit) throws SQLException {
    connection.setAutoCommit(false);
    own = String.join("", ShardSql.texts(connection, OWN));
    ShardSql.execute(connection, "SET LOCAL lock_timeout = " + limit.toMillis());
    ShardSql.execute(connection, CommitSql.LOCK_CREATION);
  }

  /** Whether the one that could not be locked is the database that this one has locked. */
  boolean isSameDatabase(IdentityRow refused) throws SQLException {
    refused.connection.rollback();
    return !own.isEmpty() && ShardSql.texts(refused.connection, HOLDERS).contains(own);
  }

  void read() throws SQLException {
    try {
      used = ShardSql.hasUsersTables(connection);
      if (ShardSql.isTrue(connection, TABLE_MISSING)) {
        return;
      }
      for (String[] row : ShardSql.rows(connection, READ, IdentityRow::nameAndCluster)) {
        name = Optional.of(row[0]);
        cluster = Optional.of(row[1]);
      }
    } catch (SQLException e) {
      unchecked(e);
    }
  }

  private static String[] nameAndCluster(ResultSet row) throws SQLException {
    return new String[] {row.getString(1), row.getString(2)};
  }

  /** What an administrator does not allow cannot be checked; nor can it be called wrong. */
  private void unchecked(SQLException e) throws SQLException {
    if (!DecisionTable.is(e, SqlState.INSUFFICIENT_PRIVILEGE)) {
      throw e;
    }
    LOG.warn(
        "shard {}: whether it is the right database cannot be checked: {}", shard, e.getMessage());
    readable = false;
    connection.rollback();
  }

  /** Gives the database its name, unless it has one. */
  void claim(String clusterId) throws SQLException {
    if (name.isPresent() || !readable) {
      return;
    }
    try {
      if (ShardSql.isTrue(connection, TABLE_MISSING)) {
        create();
      }
      ShardSql.execute(connection, INSERT, shard, clusterId);
      connection.commit();
      name = Optional.of(shard);
      LOG.info("shard {}: is now shard {} of cluster {}", shard, shard, clusterId);
    } catch (SQLException e) {
      unchecked(e);
    }
  }

  /** As for the table of decisions, an administrator may have made the schema beforehand. */
  private void create() throws SQLException {
    if (ShardSql.isTrue(connection, "SELECT to_regnamespace('shardmark') IS NULL")) {
      ShardSql.execute(connection, CommitSql.CREATE_SCHEMA);
    }
    ShardSql.execute(connection, CREATE_TABLE);
  }

  @Override
  public void close() {
    try (connection) {
      if (!connection.getAutoCommit()) {
        connection.rollback(); // gives the lock back before the server has seen the farewell
      }
    } catch (SQLException e) {
      LOG.debug("closing the connection to shard {}: {}", shard, e.getMessage());
    }
  }
}
