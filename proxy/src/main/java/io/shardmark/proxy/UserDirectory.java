package io.shardmark.proxy;

import io.shardmark.config.proxy.AuthMethod;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.UserConfig;
import io.shardmark.proxy.catalog.ShardConnections;
import io.shardmark.proxy.protocol.scram.ScramVerifier;
import io.shardmark.proxy.session.login.Credential;
import io.shardmark.proxy.session.login.Credentials;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who may log in, by the configuration's method. Asked on event loops; read on other threads. */
final class UserDirectory implements Credentials {
  private static final Logger LOG = LoggerFactory.getLogger(UserDirectory.class);
  private static final String VERIFIERS =
      "select rolname, rolpassword from pg_authid where rolcanlogin and rolpassword is not null";

  private final ShardConnections connections;
  private final SecureRandom random = new SecureRandom();
  private volatile boolean everybody;
  private volatile Map<String, Credential> users = Map.of();

  UserDirectory(ShardConnections connections) {
    this.connections = connections;
  }

  /** Reads the users anew; blocks. If the shards are to be asked and none answers, all stays. */
  void read(ProxyConfig config) {
    everybody = config.auth() == AuthMethod.TRUST;
    if (config.auth() == AuthMethod.SHARDS) {
      users = verifiers(users);
    } else {
      Map<String, Credential> read = new HashMap<>();
      config.users().forEach(user -> read.put(user.name(), credential(user)));
      users = Map.copyOf(read);
    }
  }

  private Credential credential(UserConfig user) {
    return user.scram()
        .<Credential>map(text -> new Credential.Scram(ScramVerifier.parse(text.value())))
        .or(() -> user.password().map(text -> Credential.ofPassword(text.value(), random)))
        .orElseGet(Credential.Trust::new);
  }

  private Map<String, Credential> verifiers(Map<String, Credential> before) {
    for (int shard = 0; shard < connections.shardCount(); shard++) {
      try (Connection connection = connections.open(shard);
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(VERIFIERS)) {
        Map<String, Credential> read = new HashMap<>();
        while (row.next()) {
          // Roles with MD5 passwords cannot log in here.
          if (ScramVerifier.isVerifier(row.getString(2))) {
            read.put(row.getString(1), new Credential.Scram(ScramVerifier.parse(row.getString(2))));
          }
        }
        return Map.copyOf(read);
      } catch (SQLException e) {
        LOG.warn(
            "shard {}: the verifiers cannot be read: {}",
            connections.shardName(shard),
            String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
      }
    }
    return before;
  }

  @Override
  public @Nullable Credential find(String user) {
    return everybody ? new Credential.Trust() : users.get(user);
  }
}
