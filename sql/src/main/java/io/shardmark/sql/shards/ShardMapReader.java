package io.shardmark.sql.shards;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks an endpoint that speaks PostgreSQL's protocol where its rows are: {@code SHOW SHARD MAP},
 * which the sharding proxy answers. A PostgreSQL server does not know the statement: whatever its
 * partitions, it is one server, and so is anything else that refuses it (Citus among them, whose
 * shards are not read yet).
 */
public final class ShardMapReader {
  private static final String QUESTION = "SHOW SHARD MAP";

  /** Syntax error or access rule violation, and feature not supported: the question is unknown. */
  private static final List<String> UNKNOWN_QUESTION = List.of("42", "0A");

  private ShardMapReader() {}

  /**
   * Asks. In a transaction that is open the question may end it: it is rolled back then.
   *
   * @param connection borrowed
   * @return empty if this is one server as far as anyone can see
   * @throws SQLException if the connection is of no use
   */
  public static Optional<ShardMap> read(Connection connection) throws SQLException {
    List<ShardMap.Row> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(QUESTION)) {
      while (answer.next()) {
        rows.add(row(answer));
      }
    } catch (SQLException e) {
      String state = String.valueOf(e.getSQLState());
      if (UNKNOWN_QUESTION.stream().noneMatch(state::startsWith)) {
        throw e;
      }
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
      return Optional.empty();
    }
    return Optional.of(ShardMap.of(rows));
  }

  private static ShardMap.Row row(ResultSet answer) throws SQLException {
    return new ShardMap.Row(
        answer.getString("table"),
        answer.getString("strategy"),
        text(answer.getString("column")),
        number(answer, "modulus"),
        number(answer, "remainder"),
        answer.getString("bound"),
        new Shard(
            answer.getInt("shard"),
            answer.getString("shard_name"),
            answer.getString("host"),
            answer.getInt("port"),
            answer.getString("database")));
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  private static @Nullable Integer number(ResultSet answer, String column) throws SQLException {
    int value = answer.getInt(column);
    return answer.wasNull() ? null : value;
  }
}
