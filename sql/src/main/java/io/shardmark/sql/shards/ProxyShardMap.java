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
 * {@code SHOW SHARD MAP}, which the sharding proxy answers. A PostgreSQL server does not know the
 * statement: whatever its partitions, it is one server.
 */
final class ProxyShardMap {
  private static final String QUESTION = "SHOW SHARD MAP";

  private ProxyShardMap() {}

  /** Empty if the server does not know the statement. */
  static Optional<ShardMap> read(Connection connection) throws SQLException {
    List<ShardMap.ShardMapRow> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(QUESTION)) {
      while (answer.next()) {
        rows.add(row(answer));
      }
    } catch (SQLException e) {
      ShardMapReader.passOverUnknown(connection, e);
      return Optional.empty();
    }
    return Optional.of(ShardMap.of(rows));
  }

  private static ShardMap.ShardMapRow row(ResultSet answer) throws SQLException {
    return new ShardMap.ShardMapRow(
        answer.getString("table"),
        answer.getString("strategy"),
        text(answer.getString("column")),
        number(answer, "modulus"),
        number(answer, "remainder"),
        answer.getString("bound"),
        new Shard(
            answer.getInt("shard") - 1,
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
