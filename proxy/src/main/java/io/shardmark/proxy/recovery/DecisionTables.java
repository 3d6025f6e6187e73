package io.shardmark.proxy.recovery;

import io.shardmark.config.proxy.AuthMethod;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.UserConfig;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.background.BackgroundTask;
import io.shardmark.proxy.catalog.ShardConnections;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that every shard has the table of decisions and every client's role may write it;
 * tries again in the background where a shard did not answer. Its methods do not block, except
 * {@link #createNow}.
 */
public final class DecisionTables {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionTables.class);
  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final String MAY_LOG_IN = "select rolname from pg_roles where rolcanlogin";

  private final List<ShardAccess> shards;
  private final ShardConnections connections;
  private final Supplier<ProxyConfig> config;
  private final BackgroundTask task;
  private Map<String, String> lastFailures = Map.of();

  public DecisionTables(
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
  public void createNow() {
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
  public void createSoon() {
    task.runSoon();
  }

  private Map<String, String> failures() {
    try {
      return DecisionTable.create(shards, clientRoles());
    } catch (SQLException e) {
      return Map.of("of any name", String.valueOf(e.getMessage()));
    }
  }

  /**
   * The roles under which clients' statements run: the users of the configuration, or, where the
   * shards decide who may log in, the first answering shard's roles.
   *
   * @throws SQLException if the shards decide and none answers
   */
  private Set<String> clientRoles() throws SQLException {
    ProxyConfig now = config.get();
    if (now.auth() == AuthMethod.SCRAM) {
      return now.users().stream().map(UserConfig::name).collect(Collectors.toSet());
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
