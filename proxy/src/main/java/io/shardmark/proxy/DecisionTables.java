package io.shardmark.proxy;

import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.background.BackgroundTask;
import io.shardmark.proxy.catalog.ClientRoles;
import io.shardmark.proxy.catalog.ShardConnections;
import io.shardmark.proxy.recovery.DecisionTable;
import io.shardmark.proxy.recovery.ShardAccess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that every shard has the table of decisions and every client's role may write it;
 * tries again in the background where a shard did not answer. Its methods do not block, except
 * {@link #createNow}.
 */
final class DecisionTables {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionTables.class);
  private static final Duration RETRY = Duration.ofSeconds(5);

  private final List<ShardAccess> shards;
  private final ShardConnections connections;
  private final Supplier<ProxyConfig> config;
  private final BackgroundTask task;
  private Map<String, String> lastFailures = Map.of();

  DecisionTables(
      List<ShardAccess> shards,
      ShardConnections connections,
      Supplier<ProxyConfig> config,
      BackgroundRunner runner) {
    this.shards = shards;
    this.connections = connections;
    this.config = config;
    this.task = runner.task("decision tables", this::create);
  }

  /** Creates what is missing; what fails is logged and tried again later. */
  void createNow() {
    task.runWithin(create());
  }

  private synchronized Duration create() {
    Map<String, String> failures = failures();
    if (!failures.equals(lastFailures)) {
      failures.forEach(
          (shard, reason) ->
              LOG.warn(
                  "shard {}: the table of decisions cannot be used: {}",
                  shard,
                  reason.replaceAll("\\s+", " ")));
      lastFailures = Map.copyOf(failures);
    }
    return failures.isEmpty() ? BackgroundTask.UNTIL_ASKED : RETRY;
  }

  /** The same in the background: after users were added. */
  void createSoon() {
    task.runSoon();
  }

  private Map<String, String> failures() {
    try {
      return DecisionTable.create(shards, ClientRoles.names(config.get(), connections));
    } catch (SQLException e) {
      return Map.of("of any name", String.valueOf(e.getMessage()));
    }
  }
}
