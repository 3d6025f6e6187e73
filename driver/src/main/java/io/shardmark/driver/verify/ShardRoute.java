package io.shardmark.driver.verify;

import io.shardmark.sql.jdbc.ConnectionSource;
import io.shardmark.sql.shards.Shard;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The route by hand to one shard of an endpoint: all that follows goes there unchanged. */
public final class ShardRoute {
  private ShardRoute() {}

  /** Opens a connection that leads to a shard; the caller closes it. */
  public static Connection open(ConnectionSource endpoint, Shard shard) throws SQLException {
    Connection connection = endpoint.open();
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET shardmark.shard = '" + shard.name().replace("'", "''") + "'");
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }
}
