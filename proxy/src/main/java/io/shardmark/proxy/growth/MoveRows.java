package io.shardmark.proxy.growth;

import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** The rows of moves on one shard, over a connection that the caller owns. */
final class MoveRows {
  private MoveRows() {}

  /** All; none if the shard has no such table. */
  static List<PartitionMove> read(Connection connection, int shard) throws SQLException {
    if (!ShardSql.hasTable(connection, "move")) {
      return List.of();
    }
    return ShardSql.rows(connection, MoveSql.SELECT, row -> move(shard, row));
  }

  private static PartitionMove move(int shard, ResultSet row) throws SQLException {
    return new PartitionMove(
        row.getInt(1),
        row.getString(2),
        shard,
        row.getString(3),
        texts(row, 4),
        texts(row, 5),
        row.getString(6),
        MoveStage.of(row.getString(7)),
        row.getString(8),
        row.getLong(9));
  }

  static ServerSettings settings(Connection connection) throws SQLException {
    return ShardSql.rows(
            connection,
            MoveSql.SERVER,
            row ->
                new ServerSettings(
                    row.getString(1),
                    row.getBoolean(2) ? ServerSettings.Role.SUPERUSER : ServerSettings.Role.OTHER,
                    row.getInt(3),
                    row.getInt(4),
                    row.getInt(5),
                    row.getInt(6)))
        .get(0);
  }

  static List<String> texts(ResultSet row, int column) throws SQLException {
    return List.of((String[]) row.getArray(column).getArray());
  }

  /**
   * Whether each proxy that lives on one shard lives on another: one that was started without that
   * shard would not see the rows there.
   */
  static boolean isKnownToAll(Connection shard, Connection other) throws SQLException {
    return living(other).containsAll(living(shard));
  }

  private static Set<String> living(Connection connection) throws SQLException {
    return Set.copyOf(ShardSql.texts(connection, CommitSql.SELECT_LIVING_PROXIES));
  }

  /** The one number that a query gives; -1 if it gives no row. */
  static long number(Connection connection, String sql, Object... parameters) throws SQLException {
    List<Long> rows = ShardSql.rows(connection, sql, row -> row.getLong(1), parameters);
    return rows.isEmpty() ? -1 : rows.get(0);
  }
}
