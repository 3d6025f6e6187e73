package io.shardmark.proxy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.ThreadBinding;
import io.shardmark.config.proxy.Endpoint;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.ShardConfig;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.catalog.CatalogReader;
import io.shardmark.proxy.catalog.ShardConnections;
import io.shardmark.proxy.catalog.ShardStatus.ShardState;
import io.shardmark.proxy.catalog.StartupCheck;
import io.shardmark.proxy.growth.Growth;
import io.shardmark.proxy.metrics.MetricsServer;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.recovery.ShardIdentities;
import io.shardmark.proxy.shards.ShardHosts;
import io.shardmark.proxy.standby.HostWatch;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running proxy: puts the parts together, in the order that they need each other. */
final class ProxyProcess {
  /** Instead of an exit status: the process goes on, its threads keep it. */
  static final int SERVING = -1;

  private static final Logger LOG = LoggerFactory.getLogger(ProxyProcess.class);
  private static final long RETRY_SECONDS = 1;

  private ProxyProcess() {}

  /**
   * Starts everything and prints one line when clients can come. Waits until one shard at least
   * answers; the others are waited for in the background. What watches the process can ask it from
   * the beginning: it lives, and is not ready until it listens.
   *
   * @throws ConfigException if an address cannot be bound, or a shard is not the one that is meant
   */
  static int start(ConfigFile file, PrintWriter out) throws InterruptedException {
    ProxyConfig first = file.get();
    ThreadBinding.begin(first.loops().processors());
    ProxyMetrics metrics =
        new ProxyMetrics(first.shards().stream().map(ShardConfig::name).toList());
    Optional<MetricsServer> metricsServer =
        first.metrics().map(endpoint -> metricsServer(endpoint, metrics));
    ProcessSignals.handle("HUP", () -> reloadBeforeServing(file, reloaded -> {}));
    ShardHosts hosts = new ShardHosts(file);
    ShardConnections connections = new ShardConnections(file, hosts);
    CatalogReader reader = new CatalogReader(connections, Clock.systemUTC());
    BackgroundRunner runner = new BackgroundRunner();
    HostWatch watch = new HostWatch(hosts, connections, runner);
    ProcessSignals.handle("HUP", () -> reloadBeforeServing(file, watch::requireHosts));
    watch.start();
    awaitFirstShard(reader, file);
    ProxyConfig config = file.get();
    metrics.showTasks(runner);
    metricsServer.ifPresent(server -> server.healthShows(runner::problems));
    int counting = Growth.counting(ShardAccess.all(connections));
    if (counting < connections.shardCount()) {
      reader.count(counting);
      reader.read(config.sharding());
    }
    ShardIdentities identities = new ShardIdentities(ShardAccess.all(connections), runner);
    hosts.whenMoved(
        (shard, old) -> {
          if (shard < connections.shardCount()) {
            identities.checkAnew(connections.shardName(shard));
          }
        });
    runner.task("hosts", hosts::look).runSoon();
    identities.checkAtStart();
    Growth.checkShards(ShardAccess.all(connections));
    watch.show(metrics);
    watch.announceOn(ShardAccess.all(connections, identities::whyClosed));
    StartupCheck.Report report = StartupCheck.run(config, reader);
    report.problems().forEach(LOG::warn);
    report.notes().forEach(LOG::info);
    Background background =
        new Background(
            new Background.Parts(
                runner, hosts, watch, connections, identities, reader, metrics, file));
    AtomicReference<NettyClients> service = new AtomicReference<>();
    Operation operation =
        new Operation(file, background, () -> Objects.requireNonNull(service.get(), "not started"));
    NettyClients clients =
        NettyClients.start(file, background, operation.commands(), operation::move);
    service.set(clients);
    metricsServer.ifPresent(server -> server.readyUnless(operation::whyNotReady));
    ProcessSignals.handle("HUP", operation::reloadBySignal);
    watch.takeHosts(); // which a reload may have changed meanwhile
    ProcessSignals.handle("TERM", operation::drainAndExit);
    ProcessSignals.handle("INT", operation::drainAndExit);
    out.println(
        "listening on %s, %d shards%s"
            .formatted(
                new Endpoint(
                    clients.address().getAddress().getHostAddress(), clients.address().getPort()),
                connections.shardCount(),
                metricsServer
                    .map(server -> ", metrics on port " + server.address().getPort())
                    .orElse("")));
    out.flush();
    return SERVING;
  }

  private static MetricsServer metricsServer(Endpoint endpoint, ProxyMetrics metrics) {
    try {
      return MetricsServer.start(endpoint.address(), metrics);
    } catch (IOException e) {
      throw new ConfigException("metrics: cannot listen on " + endpoint + ": " + e.getMessage());
    }
  }

  private static void reloadBeforeServing(ConfigFile file, Consumer<ProxyConfig> check) {
    try {
      int shards = file.get().shards().size();
      file.reload(
          shards,
          reloaded -> {
            check.accept(reloaded);
            if (reloaded.shards().size() != shards) {
              throw new ConfigException("shards cannot change while the proxy starts");
            }
          });
      LOG.info("configuration reloaded");
    } catch (ConfigException e) {
      LOG.warn("not reloaded: {}", e.getMessage());
    }
  }

  private static void awaitFirstShard(CatalogReader reader, Supplier<ProxyConfig> config)
      throws InterruptedException {
    reader.read(config.get().sharding());
    boolean reported = false;
    while (reader.status().stream().noneMatch(s -> s.state() == ShardState.UP)) {
      if (!reported) {
        reader.status().forEach(s -> LOG.warn("shard {} is down: {}", s.shard(), s.detail()));
        LOG.warn("no shard answers; listening begins when one does");
        reported = true;
      }
      TimeUnit.SECONDS.sleep(RETRY_SECONDS);
      reader.read(config.get().sharding());
    }
  }
}
