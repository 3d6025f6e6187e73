package io.shardmark.proxy.placement;

import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.postgresql.PGNotification;

/** A connection to one shard, by which proxies meet. Belongs to one thread at a time. */
final class ShardPost implements AutoCloseable {
  private final Connection connection;

  private ShardPost(Connection connection) {
    this.connection = connection;
  }

  /** One by which this proxy is present: it hears of each move that asks for it from now on. */
  static ShardPost join(ShardAccess shard) throws SQLException {
    return open(shard, PlacementSql.LISTEN_TO_MOVES, PlacementSql.BE_PRESENT);
  }

  /** One that hears the answers of those who are present. */
  static ShardPost ask(ShardAccess shard) throws SQLException {
    return open(shard, PlacementSql.LISTEN_TO_ANSWERS);
  }

  private static ShardPost open(ShardAccess shard, String... first) throws SQLException {
    Connection connection = shard.open();
    try {
      for (String sql : first) {
        ShardSql.execute(connection, sql);
      }
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    return new ShardPost(connection);
  }

  /** Server processes by which proxies are present here. */
  Set<Integer> present() throws SQLException {
    return new HashSet<>(ShardSql.rows(connection, PlacementSql.PRESENT, row -> row.getInt(1)));
  }

  /** Moves that have not ended here. */
  Set<Integer> underWay() throws SQLException {
    return Set.copyOf(
        ShardSql.rows(connection, PlacementSql.UNDER_WAY, row -> (int) row.getLong(1)));
  }

  /** Whether a move that has been heard of has ended here. */
  boolean isOver(int move) throws SQLException {
    return ShardSql.isTrue(connection, PlacementSql.IS_OVER, move);
  }

  void say(String channel, String text) throws SQLException {
    ShardSql.say(connection, channel, List.of(text));
  }

  /** What sessions of the proxy's own role have said; waits for it no longer than that. */
  List<String> heardFromProxies(int millis) throws SQLException {
    return ShardSql.heard(connection, PlacementSql.MOVES, millis);
  }

  /** Server processes that have said that text; waits for it no longer than that. */
  Set<Integer> whoSaid(String text, int millis) throws SQLException {
    Set<Integer> processes = new HashSet<>();
    for (PGNotification one : ShardSql.notifications(connection, millis)) {
      if (one.getParameter().equals(text)) {
        processes.add(one.getPID());
      }
    }
    return processes;
  }

  @Override
  public void close() {
    ShardSql.close(connection);
  }
}
