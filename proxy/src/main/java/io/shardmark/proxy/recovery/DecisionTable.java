package io.shardmark.proxy.recovery;

import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.Outcome;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.shards.ShardSql;
import io.shardmark.proxy.snapshot.GateSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The table of decisions on one shard, over a connection that the caller owns. */
public final class DecisionTable {
  private DecisionTable() {}

  /**
   * Creates schema and table on every shard where they are missing, and lets the roles under which
   * clients' transactions run insert into it. A role that can insert could also spoil the atomicity
   * of others' transactions, so only those are named.
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
    ShardSql.execute(connection, CommitSql.LOCK_CREATION);
    // Looking first needs no right to create, so an administrator can make them beforehand.
    if (ShardSql.isTrue(connection, CommitSql.TABLE_MISSING)) {
      ShardSql.execute(connection, CommitSql.CREATE_SCHEMA);
      ShardSql.execute(connection, CommitSql.CREATE_TABLE);
    }
    if (ShardSql.isTrue(connection, GateSql.MISSING)) {
      ShardSql.execute(connection, GateSql.CREATE);
    }
    if (!ShardSql.isTrue(connection, CommitSql.DECISION_IS_UNIQUE)) {
      throw new SQLException(
          "shardmark.decision has no unique key on gid, so a commit over several shards may end"
              + " in two ways; make it: alter table shardmark.decision add primary key (gid)");
    }
    for (String role : ShardSql.texts(connection, CommitSql.ROLES_WITHOUT_INSERT, roles)) {
      ShardSql.execute(connection, CommitSql.grantTo(role));
    }
    connection.commit();
  }

  /** Whether something is so now. */
  interface DecisionQuestion {
    boolean isSo() throws SQLException;
  }

  /**
   * Decides: aborted if nobody has decided yet, otherwise what the row says. Waits for a
   * coordinator whose COMMIT is in flight.
   *
   * <p>A missing row alone does not mean "not committed": others may have finished the transaction
   * and deleted the decision long since. So the insert is only made good if a participant still
   * holds its part while the insert is uncommitted: then nobody can have deleted anything.
   *
   * @param isPrepared whether one does; asked while the insert is uncommitted
   * @return UNKNOWN if the transaction is long past
   * @throws SQLException with {@link SqlState#LOCK_NOT_AVAILABLE} if that takes too long
   */
  static Outcome decide(Connection anchor, Gid gid, DecisionQuestion isPrepared)
      throws SQLException {
    Outcome found = read(anchor, gid);
    if (found != Outcome.UNKNOWN) {
      return found;
    }
    anchor.setAutoCommit(false);
    try {
      ShardSql.execute(anchor, CommitSql.INSERT_ABORTED, gid.text());
      if (isPrepared.isSo()) {
        anchor.commit();
        return Outcome.ABORTED;
      }
      return Outcome.UNKNOWN;
    } catch (SQLException e) {
      if (!is(e, SqlState.UNIQUE_VIOLATION)) {
        throw e;
      }
      anchor.rollback();
      return read(anchor, gid);
    } finally {
      anchor.rollback();
      anchor.setAutoCommit(true);
    }
  }

  /** The decision, or UNKNOWN if there is no row. */
  static Outcome read(Connection anchor, Gid gid) throws SQLException {
    List<Boolean> committed =
        ShardSql.rows(anchor, CommitSql.SELECT_DECISION, row -> row.getBoolean(1), gid.text());
    if (committed.isEmpty()) {
      return Outcome.UNKNOWN;
    }
    return committed.get(0) ? Outcome.COMMITTED : Outcome.ABORTED;
  }

  static boolean is(SQLException e, SqlState state) {
    return state.code().equals(e.getSQLState());
  }
}
