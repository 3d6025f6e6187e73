package io.shardmark.config.proxy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The proxy's configuration file, checked.
 *
 * @param socketDirectory where the Unix-domain socket for clients is made, if there is one
 * @param shards one or more; a shard's index is its position
 * @param databases names that clients may ask for besides those of the shards' databases; empty:
 *     any name
 * @param adminUsers who may use the database {@code shardmark}
 * @param sharding for tables that are not partitioned: from {@code table} or {@code schema.table}
 *     to the sharding column
 * @param unshardedTables {@link #REFERENCE_TABLES}, or the name of the shard that a CREATE TABLE
 *     without PARTITION BY and placement makes its table on
 */
public record ProxyConfig(
    Endpoint listen,
    Optional<Path> socketDirectory,
    Optional<Endpoint> metrics,
    List<ShardConfig> shards,
    List<UserConfig> users,
    AuthMethod auth,
    Optional<ClientTls> tls,
    PoolConfig pool,
    LimitsConfig limits,
    BackgroundConfig background,
    LoopsConfig loops,
    CrossShardIsolation crossShardIsolation,
    ScatterReads scatterReads,
    StandbyReads standbyReads,
    Optional<Set<String>> databases,
    Set<String> adminUsers,
    Map<String, String> sharding,
    String unshardedTables) {

  /** The database name that the admin commands are served under. */
  public static final String ADMIN_DATABASE = "shardmark";

  /** Tables that are not sharded are on every shard. */
  public static final String REFERENCE_TABLES = "reference";

  public ProxyConfig {
    shards = List.copyOf(shards);
    users = List.copyOf(users);
    databases = databases.map(Set::copyOf);
    adminUsers = Set.copyOf(adminUsers);
    sharding = Map.copyOf(sharding);
  }

  /**
   * The Unix-domain socket that clients connect to, if there is one.
   *
   * @param port of the TCP socket, which is part of its name
   */
  public Optional<Path> socket(int port) {
    return socketDirectory.map(directory -> ShardConfig.socketIn(directory, port));
  }

  /** A name and its password, to log in to a shard. */
  public record Login(String user, Optional<Secret> password) {}

  /**
   * Reads a file; passwords may name environment variables as {@code ${NAME}}.
   *
   * @throws ConfigException with one line: file, key, value found, what was expected
   */
  public static ProxyConfig read(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new ConfigException(file + ": cannot be read: " + e.getMessage());
    }
    Path directory = file.toAbsolutePath().getParent();
    return parse(
        new Source(
            String.valueOf(file.getFileName()),
            directory == null ? file.toAbsolutePath() : directory,
            System.getenv()),
        text);
  }

  /**
   * Where a text comes from.
   *
   * @param name for messages
   * @param directory that relative paths start from
   * @param environment for {@code ${NAME}}
   */
  record Source(String name, Path directory, Map<String, String> environment) {}

  static ProxyConfig parse(Source source, String text) {
    return new ProxyConfigReader(YamlNode.document(source, text)).read();
  }

  /** The login under which the proxy itself works on a shard. */
  public Login ownLogin(ShardConfig shard) {
    if (shard.user().isPresent()) {
      return new Login(shard.user().get(), shard.password());
    }
    UserConfig first = users.get(0);
    return new Login(first.name(), first.password());
  }

  /** Whether clients may ask for that database, other than {@link #ADMIN_DATABASE}. */
  public boolean serves(String database) {
    return databases.isEmpty()
        || databases.get().contains(database)
        || shards.stream().anyMatch(shard -> shard.database().equals(database));
  }

  /** The user of that name, if the file has one. */
  public Optional<UserConfig> user(String name) {
    return users.stream().filter(user -> user.name().equals(name)).findFirst();
  }

  /**
   * The keys whose new values a running proxy cannot take over; empty if a reload can take all.
   *
   * @param counting how many shards hold data: the others may be appended, changed and removed
   * @return keys as written in the file, e.g. {@code shards}
   */
  public List<String> keysNeedingRestart(ProxyConfig reloaded, int counting) {
    // A table of one shard alone is no other's.
    int fixed = counting > 1 ? counting : Math.max(shards.size(), reloaded.shards.size());
    Map<String, Object> others = reloaded.valuesWithShards(fixed);
    List<String> keys = new ArrayList<>();
    valuesWithShards(fixed)
        .forEach(
            (key, value) -> {
              if (ProxyKey.of(key).needsRestart() && !value.equals(others.get(key))) {
                keys.add(key);
              }
            });
    if (!keys.contains("shards") && !ownUsers(fixed).equals(reloaded.ownUsers(fixed))) {
      keys.add("shards[].user (the first of users)");
    }
    return keys;
  }

  private Map<String, Object> valuesWithShards(int count) {
    Map<String, Object> values = values();
    values.put("shards", shards.stream().limit(count).map(ShardConfig::apartFromHosts).toList());
    return values;
  }

  private List<String> ownUsers(int count) {
    return shards.stream().limit(count).map(shard -> ownLogin(shard).user()).toList();
  }

  /** The values of the keys at the top of the file, by key. */
  public Map<String, Object> values() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("listen", listen);
    values.put("unix_socket_directory", socketDirectory);
    values.put("metrics", metrics);
    values.put("shards", shards);
    values.put("auth", auth);
    values.put("tls", tls);
    values.put("pool_mode", pool.mode());
    values.put("pool_size", pool.size());
    values.put("pool_wait_timeout", pool.waitTimeout());
    values.put("failover_wait", pool.failoverWait());
    values.put("prepared_statements_per_server", pool.preparedStatementsPerServer());
    values.put("server_idle_timeout", pool.serverIdleTimeout());
    values.put("server_lifetime", pool.serverLifetime());
    values.put("max_clients", limits.maxClients());
    values.put("login_timeout", limits.loginTimeout());
    values.put("commit_timeout", limits.commitTimeout());
    values.put("scatter_memory_limit", limits.scatterMemoryBytes());
    values.put("cross_shard_isolation", crossShardIsolation);
    values.put("scatter_reads", scatterReads);
    values.put("read_from", standbyReads.source());
    values.put("standby_lag_limit", standbyReads.lagLimit());
    values.put("event_loops", loops.count());
    values.put("transport", loops.transport());
    values.put("busy_poll", loops.busyPoll());
    values.put("cpus", loops.processors());
    values.put("recovery_interval", background.recoveryInterval());
    values.put("deadlock_interval", background.deadlockInterval());
    values.put("catalog_interval", background.catalogInterval());
    values.put("drain_timeout", background.drainTimeout());
    values.put("databases", databases);
    values.put("admin_users", adminUsers);
    values.put("users", users);
    values.put("sharding", sharding);
    values.put("unsharded_tables", unshardedTables);
    return values;
  }
}
