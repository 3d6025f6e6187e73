package io.shardmark.sql.embedded;

import io.shardmark.sql.shards.Shard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * PostgreSQL servers of our own with the sharding proxy in front, for {@code
 * conn=embedded:sharded[?shards=N&proxies=N&...]}: each in its own process, all ended by {@link
 * #close} or right after this process, however that ends. The proxy is {@code proxy.jar}, which
 * lies next to the running jar, or in the proxy's build directory in the source tree.
 *
 * <p>Thread-safe; start and close block until all have started or ended.
 */
public final class EmbeddedCluster implements EmbeddedDatabase {
  /** Of each shard's connections, for the proxy's own work: catalogs, recovery, health. */
  private static final int PROXY_CONNECTIONS = 10;

  /** Above this, terminals share server connections, as they would on a real cluster. */
  private static final int MOST_POOLED = 200;

  /** Of a further proxy at least: idle sessions ask something at times. */
  private static final int FURTHER_POOLED = 10;

  private final List<EmbeddedServer> servers = new ArrayList<>();
  private final List<Shard> shards = new ArrayList<>();
  private final String database;
  private final List<ProxyProcess> proxies = new ArrayList<>();

  private EmbeddedCluster(String database) {
    this.database = database;
  }

  static EmbeddedCluster start(
      EmbeddedOptions options, BenchmarkRole role, int connections, Consumer<String> progress) {
    ProxyJar jar = ProxyJar.find();
    EmbeddedCluster cluster = new EmbeddedCluster(role.database());
    boolean started = false;
    try {
      int pooled = Math.min(connections, MOST_POOLED);
      // Twice: a load goes past the proxy while that keeps its own connections.
      int furtherPooled =
          Math.min(pooled, Math.max(FURTHER_POOLED, pooled / options.proxies() + 1));
      int further = (options.proxies() - 1) * (furtherPooled + PROXY_CONNECTIONS);
      cluster.startServers(options, role, 2 * pooled + PROXY_CONNECTIONS + further, progress);
      progress.accept(
          options.proxies() == 1
              ? "Starting the sharding proxy over %d shards".formatted(options.shards())
              : "Starting %d sharding proxies over %d shards"
                  .formatted(options.proxies(), options.shards()));
      for (int index = 0; index < options.proxies(); index++) {
        int poolSize = index == 0 ? pooled : furtherPooled;
        cluster.proxies.add(
            ProxyProcess.start(
                jar, options, index, new ProxySettings(cluster.shards, role, poolSize)));
      }
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
      EmbeddedOptions options, BenchmarkRole role, int connections, Consumer<String> progress) {
    for (int index = 0; index < options.shards(); index++) {
      String name = "s" + (index + 1);
      EmbeddedOptions ofShard =
          options.ofServer(
              options.data().map(data -> data.resolve(name)),
              Optional.empty(),
              options.shards(),
              Map.of());
      EmbeddedServer server = EmbeddedServer.start(ofShard, role, connections, progress);
      servers.add(server);
      shards.add(new Shard(index, name, server.host(), server.port(), database));
    }
  }

  /**
   * The proxies'. A build takes the first; a pool may begin at each in its turn. By its Unix-domain
   * socket if {@code via} asks for it, which one proxy alone has.
   */
  @Override
  public synchronized String jdbcUrl() {
    if (proxies.isEmpty()) {
      throw new IllegalStateException("the cluster has not started");
    }
    return "jdbc:postgresql://"
        + proxies.stream()
            .map(proxy -> "127.0.0.1:" + proxy.port())
            .collect(Collectors.joining(","))
        + "/"
        + URLEncoder.encode(database, StandardCharsets.UTF_8).replace("+", "%20")
        + proxies.get(0).socket().map(path -> "?unixSocket=" + path).orElse("");
  }

  @Override
  public synchronized List<EmbeddedPart> parts() {
    List<EmbeddedPart> parts = new ArrayList<>();
    for (int index = 0; index < servers.size(); index++) {
      parts.add(servers.get(index).part("shard " + shards.get(index).name()));
    }
    for (ProxyProcess proxy : proxies) {
      parts.add(
          new EmbeddedPart(
              "the proxy on port " + proxy.port(),
              proxy::killHard,
              proxy::restart,
              () -> proxy.signal("STOP"),
              () -> proxy.signal("CONT"),
              Optional.empty()));
    }
    return parts;
  }

  /** The shards behind the proxy, by index. */
  public List<Shard> shards() {
    return List.copyOf(shards);
  }

  /** Ends the proxies first, so that no transaction finds a shard gone. */
  @Override
  public synchronized void close() {
    try {
      for (ProxyProcess proxy : proxies) {
        proxy.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot stop the sharding proxy", e);
    } finally {
      proxies.clear();
      servers.forEach(EmbeddedServer::close);
      servers.clear();
    }
  }
}
