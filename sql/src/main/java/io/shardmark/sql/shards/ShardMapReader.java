package io.shardmark.sql.shards;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Asks an endpoint that speaks PostgreSQL's protocol where its rows are. Citus is asked for first,
 * by a statement that every PostgreSQL understands, so that its log has no statement of the proxy's
 * that it does not.
 */
public final class ShardMapReader {
  private ShardMapReader() {}

  /**
   * Asks. In a transaction that is open the question may end it: it is rolled back then.
   *
   * @param connection borrowed
   * @return empty if this is one server as far as anyone can see
   * @throws SQLException if the connection is of no use
   */
  public static Optional<ShardMap> read(Connection connection) throws SQLException {
    Optional<ShardMap> citus = CitusCatalog.read(connection);
    return citus.isPresent() ? citus : ProxyShardMap.read(connection);
  }

  /**
   * Passes over the error of an endpoint that does not understand a question.
   *
   * @throws SQLException the error, if it is another one
   */
  static void passOverUnknown(Connection connection, SQLException error) throws SQLException {
    String state = String.valueOf(error.getSQLState());
    // Syntax error or access rule violation, and feature not supported.
    if (!state.startsWith("42") && !state.startsWith("0A")) {
      throw error;
    }
    if (!connection.getAutoCommit()) {
      connection.rollback();
    }
  }
}
