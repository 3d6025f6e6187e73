package io.shardmark.proxy.catalog;

import io.shardmark.config.proxy.AuthMethod;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.UserConfig;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.stream.Collectors;

/** The roles under which clients' statements run on the shards. Blocks on JDBC. */
public final class ClientRoles {
  private static final String MAY_LOG_IN = "select rolname from pg_roles where rolcanlogin";

  private ClientRoles() {}

  /**
   * The users of the configuration, or, where the shards decide who may log in, the first answering
   * shard's roles.
   *
   * @throws SQLException if the shards decide and none answers
   */
  public static Set<String> names(ProxyConfig config, ShardConnections connections)
      throws SQLException {
    if (config.auth() == AuthMethod.SCRAM) {
      return config.users().stream().map(UserConfig::name).collect(Collectors.toSet());
    }
    SQLException last = new SQLException("there is no shard");
    for (int shard = 0; shard < connections.shardCount(); shard++) {
      try (Connection connection = connections.open(shard)) {
        return Set.copyOf(ShardSql.texts(connection, MAY_LOG_IN));
      } catch (SQLException e) {
        last = e;
      }
    }
    throw last;
  }
}
