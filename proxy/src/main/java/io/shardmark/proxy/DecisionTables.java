package io.shardmark.proxy;

import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.catalog.ClientRoles;
import io.shardmark.proxy.catalog.ShardConnections;
import io.shardmark.proxy.recovery.DecisionTable;
import io.shardmark.proxy.recovery.ShardAccess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that every shard has the table of decisions and every client's role may write it;
 * tries again in the background where a shard did not answer. Its methods do not block, except
 * {@link #createNow}.
 */
final class DecisionTables implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionTables.class);
  private static final Duration RETRY = Duration.ofSeconds(5);

  private final List<ShardAccess> shards;
  private final ShardConnections connections;
  private final Supplier<ProxyConfig> config;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread daemon = new Thread(task, "decision-tables");
            daemon.setDaemon(true);
            return daemon;
          });
  private Map<String, String> lastFailures = Map.of();
  private @Nullable ScheduledFuture<?> retry;

  DecisionTables(
      List<ShardAccess> shards, ShardConnections connections, Supplier<ProxyConfig> config) {
    this.shards = List.copyOf(shards);
    this.connections = connections;
    this.config = config;
  }

  /** Creates what is missing; what fails is logged and tried again later. */
  synchronized void createNow() {
    Map<String, String> failures = failures();
    if (!failures.equals(lastFailures)) {
      failures.forEach(
          (shard, reason) ->
              LOG.warn(
                  "shard {}: the table of decisions cannot be made: {}",
                  shard,
                  reason.replaceAll("\\s+", " ")));
      lastFailures = Map.copyOf(failures);
    }
    ScheduledFuture<?> waiting = retry;
    if (waiting != null) {
      waiting.cancel(false); // or each request would be tried again on its own
    }
    if (!failures.isEmpty() && !thread.isShutdown()) {
      retry = thread.schedule(this::createNow, RETRY.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** The same on this object's thread: after users were added. */
  void createSoon() {
    thread.execute(this::createNow);
  }

  private Map<String, String> failures() {
    try {
      return DecisionTable.create(shards, ClientRoles.names(config.get(), connections));
    } catch (SQLException e) {
      return Map.of("of any name", String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
