package io.shardmark.driver.verify;

import io.shardmark.config.DatabaseKind;
import io.shardmark.sql.jdbc.FirstValue;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Puts connections into one transaction each that sees the snapshot of the first, so that all
 * conditions are read as of one instant however much is written meanwhile. What is set for it ends
 * with it. PostgreSQL alone lets others take a snapshot: PG16 §9.27.5
 * functions-snapshot-synchronization. Elsewhere one connection has one for itself; of several, each
 * stays in auto-commit mode, and each statement sees another instant.
 */
final class ReadTransaction {
  // The memory lets PostgreSQL hash the orders or customers of 100 warehouses without going to
  // disk.
  private static final String BEGIN =
      "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL work_mem = '256MB'";

  /** The snapshot of a connection that has it alone. */
  private static final String OWN = "";

  /** How the snapshots of all shards begin that a proxy over several gives as one. */
  private static final String OF_SHARDS = "shardmark:";

  /** Where each node of a cluster has snapshots, one of them is not that of all. */
  private static final String NODES = "SELECT count(*) FROM pg_extension WHERE extname = 'citus'";

  private static final String COMMON = "SHOW shardmark.cross_shard_isolation";

  private ReadTransaction() {}

  /**
   * Begins the first.
   *
   * @param connection in auto-commit mode; stays so where there is no snapshot of everything
   * @param alone whether no other one follows
   * @return what others take the snapshot by; null where it has none
   */
  static @Nullable String begin(Connection connection, DatabaseKind kind, boolean alone)
      throws SQLException {
    try {
      if (kind != DatabaseKind.POSTGRES) {
        return alone ? beginAlone(connection, kind) : null;
      }
      if (FirstValue.number(connection, NODES) > 0) {
        return null;
      }
      String snapshot = export(connection);
      if (!snapshot.startsWith(OF_SHARDS) || isCommon(connection)) {
        return snapshot;
      }
      giveUp(connection);
      return null;
    } catch (SQLException e) {
      requireRefusal(e);
      giveUp(connection);
      return null;
    }
  }

  /**
   * Begins the first on an endpoint over several shards.
   *
   * @return what connections to each shard take the snapshot by; null where all shards have none in
   *     common
   */
  static @Nullable String beginOverShards(Connection connection) throws SQLException {
    return isCommon(connection) ? export(connection) : null;
  }

  /** Whether the endpoint's snapshots are those of one instant; others export each shard's own. */
  private static boolean isCommon(Connection connection) throws SQLException {
    try {
      return FirstValue.text(connection, COMMON).equals("snapshot");
    } catch (SQLException e) {
      requireRefusal(e);
      return false;
    }
  }

  /**
   * What only speaks the database's language need not have a snapshot to give: it lacks the feature
   * or does not understand. Any other error may pass, and is no reason to read without one.
   */
  private static void requireRefusal(SQLException e) throws SQLException {
    String state = String.valueOf(e.getSQLState());
    if (!state.startsWith("42") && !state.startsWith("0A")) {
      throw e;
    }
  }

  private static String export(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    execute(connection, BEGIN);
    return FirstValue.text(connection, "SELECT pg_export_snapshot()");
  }

  private static void giveUp(Connection connection) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  private static String beginAlone(Connection connection, DatabaseKind kind) throws SQLException {
    if (kind == DatabaseKind.ORACLE) {
      connection.setAutoCommit(false);
      execute(connection, "SET TRANSACTION READ ONLY");
    } else {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
    }
    return OWN;
  }

  /**
   * Begins another one, while the first is there.
   *
   * @param snapshot of the first; null where it has none
   */
  static void join(Connection connection, @Nullable String snapshot) throws SQLException {
    if (snapshot == null) {
      return;
    }
    connection.setAutoCommit(false);
    int settings = BEGIN.indexOf(';');
    execute(
        connection,
        BEGIN.substring(0, settings)
            + "; SET TRANSACTION SNAPSHOT '"
            + snapshot.replace("'", "''")
            + "'"
            + BEGIN.substring(settings));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Asked on a connection that may be in such a transaction. */
  @FunctionalInterface
  interface Question<T> {
    T ask() throws SQLException;
  }

  /** Asks; after an error the transaction goes on as if it had not been asked. */
  static <T> T ask(Connection connection, Question<T> question) throws SQLException {
    if (connection.getAutoCommit()) {
      return question.ask();
    }
    Savepoint before = connection.setSavepoint();
    try {
      return question.ask();
    } catch (SQLException e) {
      connection.rollback(before);
      throw e;
    }
  }

  /** Ends it, if there is one. */
  static void end(Connection connection) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.rollback();
    }
  }
}
