package io.shardmark.proxy.catalog;

import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.ServerTls;
import io.shardmark.config.proxy.ShardConfig;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Properties;
import java.util.function.Supplier;

/**
 * Opens JDBC connections to the shards as the proxy's own user, for background threads: catalogs,
 * recovery, deadlocks. Thread-safe; opening blocks, up to ten seconds. Not counted in pools.
 */
public final class ShardConnections {
  private static final String CONNECT_TIMEOUT_SECONDS = "5";

  /** The server ends what takes longer, so that no background thread hangs on a sick shard. */
  private static final String SOCKET_TIMEOUT_SECONDS = "60";

  private final Supplier<ProxyConfig> config;

  /** For as long as the configuration does not change. */
  public ShardConnections(ProxyConfig config) {
    this(() -> config);
  }

  /**
   * @param config the configuration of now: a reload may change the proxy's own password
   */
  public ShardConnections(Supplier<ProxyConfig> config) {
    this.config = config;
  }

  /**
   * A connection in auto-commit mode; the caller closes it.
   *
   * @param shard index
   * @throws SQLException if the shard cannot be reached or refuses the login
   */
  public Connection open(int shard) throws SQLException {
    ProxyConfig now = config.get();
    ShardConfig target = now.shards().get(shard);
    ProxyConfig.Login login = now.ownLogin(target);
    Properties properties = new Properties();
    properties.setProperty("user", login.user());
    login.password().ifPresent(secret -> properties.setProperty("password", secret.value()));
    properties.setProperty("PGHOST", target.host());
    properties.setProperty("PGPORT", Integer.toString(target.port()));
    properties.setProperty("PGDBNAME", target.database());
    properties.setProperty("ApplicationName", "shardmark proxy");
    properties.setProperty("connectTimeout", CONNECT_TIMEOUT_SECONDS);
    properties.setProperty("loginTimeout", CONNECT_TIMEOUT_SECONDS);
    properties.setProperty("socketTimeout", SOCKET_TIMEOUT_SECONDS);
    properties.setProperty("tcpKeepAlive", "true");
    setTls(properties, target.tls());
    return DriverManager.getConnection("jdbc:postgresql:///", properties);
  }

  /** How many shards there are. */
  public int shardCount() {
    return config.get().shards().size();
  }

  /** A shard's name in the configuration. */
  public String shardName(int shard) {
    return config.get().shards().get(shard).name();
  }

  private static void setTls(Properties properties, ServerTls tls) {
    String mode = tls.mode().name().toLowerCase(Locale.ROOT).replace('_', '-');
    properties.setProperty("sslmode", mode);
    if (tls.ca().isPresent()) {
      properties.setProperty("sslrootcert", tls.ca().get().toString());
    } else if (tls.mode() != ServerTls.Mode.DISABLE && tls.mode() != ServerTls.Mode.REQUIRE) {
      // The JDK's own trust store; without it pgjdbc looks for a file in the home directory.
      properties.setProperty("sslfactory", "org.postgresql.ssl.DefaultJavaSSLFactory");
    }
    tls.certificate().ifPresent(path -> properties.setProperty("sslcert", path.toString()));
    tls.key().ifPresent(path -> properties.setProperty("sslkey", path.toString()));
  }
}
