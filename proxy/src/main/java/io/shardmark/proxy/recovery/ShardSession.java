package io.shardmark.proxy.recovery;

import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.Outcome;
import io.shardmark.proxy.protocol.SqlState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection of recovery to one shard, and what recovery asks it. Belongs to one thread. */
final class ShardSession implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShardSession.class);

  private final String name;
  private final Connection connection;

  private ShardSession(String name, Connection connection) {
    this.name = name;
    this.connection = connection;
  }

  static ShardSession open(ShardAccess shard, Duration lockLimit) throws SQLException {
    Connection connection = shard.open();
    try {
      DecisionTable.prepareConnection(connection, lockLimit);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    return new ShardSession(shard.name(), connection);
  }

  /**
   * What the shard holds under our names.
   *
   * @param owner name of the role that prepared it, quoted
   */
  record Prepared(String name, String owner, Duration age) {}

  String name() {
    return name;
  }

  Connection connection() {
    return connection;
  }

  List<Prepared> prepared() throws SQLException {
    List<Prepared> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(CommitSql.SELECT_PREPARED)) {
      while (rows.next()) {
        found.add(
            new Prepared(rows.getString(1), rows.getString(2), Duration.ofMillis(rows.getLong(3))));
      }
    }
    return found;
  }

  /** Shows that the proxy lives as long as this connection does. */
  void show(long incarnation) throws SQLException {
    try (PreparedStatement lock = connection.prepareStatement(CommitSql.SHOW_PROXY)) {
      lock.setLong(1, incarnation);
      lock.execute();
    }
  }

  /** Incarnations of the proxies that show themselves here. */
  Set<Long> livingProxies() throws SQLException {
    Set<Long> living = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(CommitSql.SELECT_LIVING_PROXIES)) {
      while (rows.next()) {
        living.add(rows.getLong(1));
      }
    }
    return living;
  }

  boolean isPrepared(Gid gid) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(CommitSql.IS_PREPARED)) {
      select.setString(1, gid.textFor(name));
      try (ResultSet row = select.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  /**
   * Commits or rolls back what this shard has prepared of the transaction.
   *
   * @param owner quoted name of the role that prepared it
   * @return false if somebody else has done it before
   */
  boolean finish(Gid gid, Outcome outcome, String owner) throws SQLException {
    String sql =
        switch (outcome) {
          case COMMITTED -> CommitSql.commitPrepared(gid, name);
          case ABORTED -> CommitSql.rollbackPrepared(gid, name);
          case UNKNOWN -> throw new IllegalArgumentException("no decision for " + gid);
        };
    try (Statement statement = connection.createStatement()) {
      return finish(statement, sql, owner);
    } catch (SQLException e) {
      if (DecisionTable.is(e, SqlState.UNDEFINED_OBJECT)) {
        return false;
      }
      throw e;
    }
  }

  private static boolean finish(Statement statement, String sql, String owner) throws SQLException {
    try {
      statement.execute(sql);
      return true;
    } catch (SQLException e) {
      if (!DecisionTable.is(e, SqlState.INSUFFICIENT_PRIVILEGE)) {
        throw e;
      }
      // Only a superuser or the owner may; a member of the owner's role can become it.
      statement.execute("SET ROLE " + owner);
      try {
        statement.execute(sql);
        return true;
      } finally {
        statement.execute("RESET ROLE");
      }
    }
  }

  Set<String> oldDecisions(Duration age) throws SQLException {
    Set<String> gids = new HashSet<>();
    try (PreparedStatement select = connection.prepareStatement(CommitSql.SELECT_OLD_DECISIONS)) {
      select.setLong(1, age.toMillis());
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          gids.add(rows.getString(1));
        }
      }
    }
    return gids;
  }

  Set<String> openTransactions() throws SQLException {
    Set<String> open = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(CommitSql.SELECT_OPEN_TRANSACTIONS)) {
      while (rows.next()) {
        open.add(rows.getString(1));
      }
    }
    return open;
  }

  int deleteDecisions(Set<String> gids) throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement(CommitSql.DELETE_DECISIONS)) {
      delete.setArray(1, connection.createArrayOf("text", gids.toArray()));
      return delete.executeUpdate();
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.debug("closing the connection to shard {}: {}", name, e.getMessage());
    }
  }
}
