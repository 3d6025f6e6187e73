package io.shardmark.proxy.recovery;

import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.Outcome;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection of recovery to one shard, and what recovery asks it. Belongs to one thread. */
public final class ShardSession implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShardSession.class);
  private static final Duration LOCK_LIMIT = Duration.ofSeconds(5);

  private final String name;
  private final Connection connection;

  private ShardSession(String name, Connection connection) {
    this.name = name;
    this.connection = connection;
  }

  static ShardSession open(ShardAccess shard, Duration lockLimit) throws SQLException {
    Connection connection = shard.open();
    try {
      // A decision must not be lost in a crash either, whatever the role's defaults are,
      // and a unique violation must not become a serialization failure.
      ShardSql.execute(
          connection,
          "SET synchronous_commit = on; SET default_transaction_isolation = 'read committed';"
              + " SET default_transaction_read_only = off; SET lock_timeout = "
              + lockLimit.toMillis());
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    return new ShardSession(shard.name(), connection);
  }

  /**
   * What a shard holds prepared under the names of proxies, whether anybody is at it or not.
   *
   * @param name as in pg_prepared_xacts
   * @param owner name of the role that prepared it, quoted
   * @param age since it was prepared, by the shard's clock
   */
  public record Prepared(String name, String owner, Duration age) {}

  /**
   * All that a shard holds. Blocks.
   *
   * @throws SQLException if it cannot be asked
   */
  public static List<Prepared> preparedOn(ShardAccess shard) throws SQLException {
    try (ShardSession session = open(shard, LOCK_LIMIT)) {
      return session.prepared();
    }
  }

  String name() {
    return name;
  }

  Connection connection() {
    return connection;
  }

  List<Prepared> prepared() throws SQLException {
    return ShardSql.rows(
        connection,
        CommitSql.SELECT_PREPARED,
        row -> new Prepared(row.getString(1), row.getString(2), Duration.ofMillis(row.getLong(3))));
  }

  /** Names of what is prepared here and ends when its other parts have. */
  Set<String> endingLast() throws SQLException {
    return Set.copyOf(ShardSql.texts(connection, CommitSql.SELECT_MARKED));
  }

  /** Shows that the proxy lives as long as this connection does. */
  void show(long incarnation) throws SQLException {
    ShardSql.execute(connection, CommitSql.showProxy(incarnation));
  }

  /** Incarnations of the proxies that show themselves here. */
  Set<Long> livingProxies() throws SQLException {
    return Set.copyOf(
        ShardSql.rows(connection, CommitSql.SELECT_LIVING_PROXIES, row -> row.getLong(1)));
  }

  boolean isPrepared(Gid gid) throws SQLException {
    return ShardSql.isTrue(connection, CommitSql.IS_PREPARED, gid.textFor(name));
  }

  /**
   * Commits or rolls back what this shard has prepared of the transaction.
   *
   * @param owner quoted name of the role that prepared it
   * @param finished is called unless somebody else has done it before
   */
  void finish(Gid gid, Outcome outcome, String owner, Consumer<Outcome> finished)
      throws SQLException {
    String sql =
        switch (outcome) {
          case COMMITTED -> CommitSql.commitPrepared(gid, name);
          case ABORTED -> CommitSql.rollbackPrepared(gid, name);
          case UNKNOWN -> throw new IllegalArgumentException("no decision for " + gid);
        };
    try {
      finish(sql, owner);
    } catch (SQLException e) {
      if (DecisionTable.is(e, SqlState.UNDEFINED_OBJECT)) {
        return;
      }
      throw e;
    }
    LOG.info("recovery: {} on shard {}: {}", gid, name, outcome);
    finished.accept(outcome);
  }

  private void finish(String sql, String owner) throws SQLException {
    try {
      ShardSql.execute(connection, sql);
    } catch (SQLException e) {
      if (!DecisionTable.is(e, SqlState.INSUFFICIENT_PRIVILEGE)) {
        throw e;
      }
      // Only a superuser or the owner may; a member of the owner's role can become it.
      ShardSql.execute(connection, "SET ROLE " + owner);
      try {
        ShardSql.execute(connection, sql);
      } finally {
        ShardSql.execute(connection, "RESET ROLE");
      }
    }
  }

  Set<String> oldDecisions(Duration age) throws SQLException {
    return Set.copyOf(ShardSql.texts(connection, CommitSql.SELECT_OLD_DECISIONS, age.toMillis()));
  }

  Set<String> openTransactions() throws SQLException {
    return Set.copyOf(ShardSql.texts(connection, CommitSql.SELECT_OPEN_TRANSACTIONS));
  }

  int deleteDecisions(Set<String> gids) throws SQLException {
    return ShardSql.execute(connection, CommitSql.DELETE_DECISIONS, gids);
  }

  @Override
  public void close() {
    ShardSql.close(connection);
  }
}
