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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The table of decisions on one shard, over a connection that the caller owns. */
public final class DecisionTable {
  private DecisionTable() {}

  /**
   * Creates schema and table on every shard where they are missing, and lets the roles under which
   * clients' transactions run insert into it. Whoever can insert could also spoil the atomicity of
   * others' transactions, so only those are named.
   *
   * @param roles names of roles; one that a shard does not have is passed over
   * @return for each shard where that failed, by name, why
   */
  public static Map<String, String> create(List<ShardAccess> shards, Set<String> roles) {
    Map<String, String> failures = new TreeMap<>();
    for (ShardAccess shard : shards) {
      try (Connection connection = shard.open()) {
        create(connection, roles);
      } catch (SQLException e) {
        failures.put(shard.name(), String.valueOf(e.getMessage()));
      }
    }
    return failures;
  }

  private static void create(Connection connection, Set<String> roles) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(CommitSql.LOCK_CREATION);
      // Looking first needs no right to create, so an administrator can make them beforehand.
      if (queryStrings(statement, CommitSql.TABLE_MISSING).contains("t")) {
        statement.execute(CommitSql.CREATE_SCHEMA);
        statement.execute(CommitSql.CREATE_TABLE);
      }
      if (!queryStrings(statement, CommitSql.DECISION_IS_UNIQUE).contains("t")) {
        throw new SQLException(
            "shardmark.decision has no unique key on gid, so a commit over several shards may end"
                + " in two ways; make it: alter table shardmark.decision add primary key (gid)");
      }
      for (String role : rolesWithoutGrant(connection, roles)) {
        statement.execute(CommitSql.grantTo(role));
      }
      connection.commit();
    }
  }

  private static List<String> rolesWithoutGrant(Connection connection, Set<String> roles)
      throws SQLException {
    List<String> quoted = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(CommitSql.ROLES_WITHOUT_INSERT)) {
      select.setArray(1, connection.createArrayOf("text", roles.toArray()));
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          quoted.add(rows.getString(1));
        }
      }
    }
    return quoted;
  }

  private static List<String> queryStrings(Statement statement, String sql) throws SQLException {
    List<String> values = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  /** Makes the settings of a fresh connection those that recovery relies on. */
  static void prepareConnection(Connection connection, Duration lockLimit) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      // A decision of ours must not be lost in a crash either, whatever the role's defaults are,
      // and a unique violation must not become a serialization failure.
      statement.execute(
          "SET synchronous_commit = on; SET default_transaction_isolation = 'read committed';"
              + " SET default_transaction_read_only = off; SET lock_timeout = "
              + lockLimit.toMillis());
    }
  }

  /**
   * Decides: aborted if nobody has decided yet, otherwise what the row says. Waits for a
   * coordinator whose COMMIT is in flight.
   *
   * @throws SQLException with {@link SqlState#LOCK_NOT_AVAILABLE} if that takes too long
   */
  static Outcome decide(Connection anchor, Gid gid) throws SQLException {
    Outcome found = read(anchor, gid);
    if (found != Outcome.UNKNOWN) {
      return found;
    }
    try {
      insertAborted(anchor, gid);
      return Outcome.ABORTED;
    } catch (SQLException e) {
      if (!is(e, SqlState.UNIQUE_VIOLATION)) {
        throw e;
      }
      return read(anchor, gid);
    }
  }

  static void insertAborted(Connection anchor, Gid gid) throws SQLException {
    try (PreparedStatement insert = anchor.prepareStatement(CommitSql.INSERT_ABORTED)) {
      insert.setString(1, gid.text());
      insert.executeUpdate();
    }
  }

  /** The decision, or UNKNOWN if there is no row. */
  static Outcome read(Connection anchor, Gid gid) throws SQLException {
    try (PreparedStatement select = anchor.prepareStatement(CommitSql.SELECT_DECISION)) {
      select.setString(1, gid.text());
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          return Outcome.UNKNOWN;
        }
        return row.getBoolean(1) ? Outcome.COMMITTED : Outcome.ABORTED;
      }
    }
  }

  static boolean is(SQLException e, SqlState state) {
    return state.code().equals(e.getSQLState());
  }
}
