package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import io.shardmark.config.Secret;
import io.shardmark.sql.shards.Shard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL servers of our own with the sharding proxy in front, for {@code
 * conn=embedded:sharded[?shards=N&...]}: each in a process of its own, all ended by {@link #close}
 * or right after this process, however that ends. The proxy is {@code proxy.jar}, which lies beside
 * the running jar, or in the proxy's build directory in the source tree.
 *
 * <p>Thread-safe; start and close block until all have started or ended.
 */
public final class EmbeddedCluster implements EmbeddedDatabase {
  /** Of each shard's connections, for the proxy's own work: catalogs, recovery, health. */
  private static final int PROXY_CONNECTIONS = 10;

  /** Above this, terminals share server connections, as they would on a real cluster. */
  private static final int MOST_POOLED = 200;

  private final List<EmbeddedServer> servers = new ArrayList<>();
  private final List<Shard> shards = new ArrayList<>();
  private final String database;
  private @Nullable ProxyProcess proxy;

  private EmbeddedCluster(String database) {
    this.database = database;
  }

  static EmbeddedCluster start(
      String conn,
      String user,
      Secret password,
      String database,
      int connections,
      Consumer<String> progress) {
    ShardedOptions options = ShardedOptions.parse(conn);
    ProxyJar jar = ProxyJar.find();
    EmbeddedCluster cluster = new EmbeddedCluster(database);
    boolean started = false;
    try {
      int pooled = Math.min(connections, MOST_POOLED);
      // Twice: a load goes past the proxy while that keeps its own connections.
      cluster.startServers(options, user, password, 2 * pooled + PROXY_CONNECTIONS, progress);
      cluster.proxy =
          ProxyProcess.start(
              jar, options, new ProxySettings(cluster.shards, user, password, pooled), progress);
      started = true;
      return cluster;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start the sharding proxy", e);
    } finally {
      if (!started) {
        cluster.close();
      }
    }
  }

  private void startServers(
      ShardedOptions options,
      String user,
      Secret password,
      int connections,
      Consumer<String> progress) {
    for (int index = 0; index < options.shards(); index++) {
      String name = "s" + (index + 1);
      EmbeddedServer server =
          EmbeddedServer.start(
              options.ofShard(name), user, password, database, connections, progress);
      servers.add(server);
      shards.add(new Shard(index, name, "127.0.0.1", server.port(), database));
    }
  }

  /** The proxy's. */
  @Override
  public synchronized String jdbcUrl() {
    if (proxy == null) {
      throw new IllegalStateException("the cluster has not started");
    }
    return "jdbc:postgresql://127.0.0.1:"
        + proxy.port()
        + "/"
        + URLEncoder.encode(database, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** The shards behind the proxy, by index. */
  public List<Shard> shards() {
    return List.copyOf(shards);
  }

  /** The proxy's process. */
  synchronized ProxyProcess proxy() {
    if (proxy == null) {
      throw new ConfigException("the proxy has not started");
    }
    return proxy;
  }

  /** Ends the proxy first, so that no transaction finds a shard gone. */
  @Override
  public synchronized void close() {
    try {
      if (proxy != null) {
        proxy.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot stop the sharding proxy", e);
    } finally {
      proxy = null;
      servers.forEach(EmbeddedServer::close);
      servers.clear();
    }
  }
}
