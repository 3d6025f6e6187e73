package io.shardmark.proxy.catalog;

import io.shardmark.config.proxy.Endpoint;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.ServerTls;
import io.shardmark.config.proxy.ServerTls.TlsMode;
import io.shardmark.config.proxy.ShardConfig;
import io.shardmark.config.proxy.StandbyReads;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.shards.FixedAddressSockets;
import io.shardmark.proxy.shards.ShardHosts;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.WeakHashMap;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens JDBC connections to the shards as the proxy's own user, for background threads: catalogs,
 * recovery, deadlocks. Thread-safe; opening blocks, up to ten seconds. Not counted in pools.
 */
public final class ShardConnections {
  private static final Logger LOG = LoggerFactory.getLogger(ShardConnections.class);

  private static final String CONNECT_TIMEOUT_SECONDS = "5";

  /** The server ends what takes longer, so that no background thread waits for a sick shard. */
  private static final String SOCKET_TIMEOUT_SECONDS = "60";

  /** A host that takes longer to say what it is does not serve clients either. */
  private static final String PROBE_TIMEOUT_SECONDS = "2";

  private static final Map<String, String> FOR_REPLICATION =
      Map.of(
          "replication", "database", "preferQueryMode", "simple", "assumeMinServerVersion", "10");

  private final Supplier<ProxyConfig> config;
  private final ShardHosts hosts;
  private volatile int counting;

  /** What has been opened and not forgotten, with the shard that it leads to. */
  private final Map<Connection, Integer> opened = new WeakHashMap<>();

  /** For as long as neither the configuration nor the hosts' addresses change. */
  public ShardConnections(ProxyConfig config) {
    this(() -> config, new ShardHosts(() -> config));
  }

  /**
   * @param config the current configuration: a reload may change the proxy's own password
   */
  public ShardConnections(Supplier<ProxyConfig> config, ShardHosts hosts) {
    this.config = config;
    this.hosts = hosts;
    this.counting = config.get().shards().size();
    hosts.whenMoved((shard, old) -> abort(shard));
  }

  /** Who uses a connection to where the shard was finds it broken, and opens another. */
  private void abort(int shard) {
    List<Connection> left = new ArrayList<>();
    synchronized (opened) {
      opened.forEach(
          (connection, to) -> {
            if (to == shard) {
              left.add(connection);
            }
          });
      opened.keySet().removeAll(left);
    }
    for (Connection connection : left) {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        LOG.debug("a connection to a shard that has moved: {}", e.getMessage());
      }
    }
  }

  /**
   * A connection in auto-commit mode; the caller closes it.
   *
   * @param shard index
   * @throws SQLException if the shard cannot be reached or refuses the login
   */
  public Connection open(int shard) throws SQLException {
    return open(shard, Map.of());
  }

  /**
   * The same for the replication protocol as well (PG18 §54.4): it has the simple query protocol
   * alone.
   */
  public Connection openForReplication(int shard) throws SQLException {
    return open(shard, FOR_REPLICATION);
  }

  private Connection open(int shard, Map<String, String> more) throws SQLException {
    ShardHosts.HostPlace place = place(shard);
    Connection connection =
        connect(shard, place, CONNECT_TIMEOUT_SECONDS, SOCKET_TIMEOUT_SECONDS, more);
    synchronized (opened) {
      opened.put(connection, shard);
    }
    if (!hosts.isAt(shard, place)) {
      connection.close();
      throw new SQLException(
          "shard " + shardName(shard) + " has just moved", SqlState.CONNECTION_FAILURE.code());
    }
    return connection;
  }

  /**
   * A connection to one of a shard's hosts, whether the shard is there or not, to ask what it is;
   * the caller closes it. A host that does not answer at once counts as one that does not.
   */
  public Connection probe(int shard, ShardHosts.HostPlace host) throws SQLException {
    return connect(shard, host, PROBE_TIMEOUT_SECONDS, PROBE_TIMEOUT_SECONDS, Map.of());
  }

  private Connection connect(
      int shard,
      ShardHosts.HostPlace place,
      String connectTimeout,
      String socketTimeout,
      Map<String, String> more)
      throws SQLException {
    ProxyConfig now = config.get();
    ShardConfig target = now.shards().get(shard);
    ProxyConfig.Login login = now.ownLogin(target);
    Properties properties = new Properties();
    properties.setProperty("user", login.user());
    login.password().ifPresent(secret -> properties.setProperty("password", secret.value()));
    // A directory is no name for JDBC, which does not need one without TLS.
    properties.setProperty(
        "PGHOST", place.name().socket().isPresent() ? "localhost" : place.name().host());
    properties.setProperty("PGPORT", Integer.toString(place.name().port()));
    properties.setProperty("socketFactory", FixedAddressSockets.class.getName());
    properties.setProperty("socketFactoryArg", FixedAddressSockets.argument(place.address()));
    properties.setProperty("PGDBNAME", target.database());
    properties.setProperty("ApplicationName", "shardmark proxy");
    properties.setProperty("connectTimeout", connectTimeout);
    properties.setProperty("loginTimeout", connectTimeout);
    properties.setProperty("socketTimeout", socketTimeout);
    properties.setProperty("tcpKeepAlive", "true");
    setTls(properties, target.tls());
    properties.putAll(more);
    return DriverManager.getConnection("jdbc:postgresql:///", properties);
  }

  private ShardHosts.HostPlace place(int shard) throws SQLException {
    try {
      return hosts.of(shard);
    } catch (UnknownHostException e) {
      throw new SQLException(e.getMessage(), SqlState.CONNECTION_FAILURE.code(), e);
    }
  }

  /** How another shard connects to one, as libpq takes it (PG18 §32.1.1), with the password. */
  public String addressForShards(int shard) {
    ProxyConfig now = config.get();
    ShardConfig target = now.shards().get(shard);
    ProxyConfig.Login login = now.ownLogin(target);
    Map<String, String> values = new LinkedHashMap<>();
    values.put("host", joined(target, Endpoint::host));
    values.put("port", joined(target, host -> Integer.toString(host.port())));
    values.put("target_session_attrs", "read-write"); // of several hosts the primary
    values.put("dbname", target.database());
    values.put("user", login.user());
    login.password().ifPresent(secret -> values.put("password", secret.value()));
    values.put("sslmode", target.tls().mode() == TlsMode.DISABLE ? "disable" : "require");
    return values.entrySet().stream()
        .map(
            one ->
                one.getKey()
                    + "='"
                    + one.getValue().replace("\\", "\\\\").replace("'", "\\'")
                    + "'")
        .collect(Collectors.joining(" "));
  }

  private static String joined(ShardConfig shard, Function<Endpoint, String> part) {
    return shard.addressForShards().map(List::of).orElse(shard.places()).stream()
        .map(part)
        .collect(Collectors.joining(","));
  }

  /** As configured. */
  public List<ShardConfig> shards() {
    return config.get().shards();
  }

  /** As configured. */
  public StandbyReads standbyReads() {
    return config.get().standbyReads();
  }

  /** How many shards count: the first ones of the configuration. */
  public int shardCount() {
    return counting;
  }

  /** Has a shard count if it is the first one of the configuration that does not. */
  synchronized boolean countNext(String name) {
    boolean isNext = counting < hosts.shardCount() && shardName(counting).equals(name);
    counting += isNext ? 1 : 0;
    return isNext;
  }

  /** So many shards count from now on. */
  public synchronized void count(int shards) {
    counting = shards;
  }

  /** Works with the number of shards that count while it stays as it is. */
  public synchronized void withoutCounting(IntConsumer work) {
    work.accept(counting);
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
    } else if (tls.mode() != TlsMode.DISABLE && tls.mode() != TlsMode.REQUIRE) {
      // The JDK's own trust store; without it pgjdbc looks for a file in the home directory.
      properties.setProperty("sslfactory", "org.postgresql.ssl.DefaultJavaSSLFactory");
    }
    tls.certificate().ifPresent(path -> properties.setProperty("sslcert", path.toString()));
    tls.key().ifPresent(path -> properties.setProperty("sslkey", path.toString()));
  }
}
