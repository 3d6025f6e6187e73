package io.shardmark.config.proxy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The proxy's configuration file, checked.
 *
 * @param shards one or more; a shard's index is its position
 * @param databases names that clients may ask for besides those of the shards' databases; empty:
 *     any name
 * @param adminUsers who may use the database {@code shardmark}
 * @param sharding for tables that are not partitioned: from {@code table} or {@code schema.table}
 *     to the sharding column
 */
public record ProxyConfig(
    Endpoint listen,
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
    Optional<Set<String>> databases,
    Set<String> adminUsers,
    Map<String, String> sharding) {

  /** The database name that the admin commands are served under. */
  public static final String ADMIN_DATABASE = "shardmark";

  public ProxyConfig {
    shards = List.copyOf(shards);
    users = List.copyOf(users);
    databases = databases.map(Set::copyOf);
    adminUsers = Set.copyOf(adminUsers);
    sharding = Map.copyOf(sharding);
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
   * @return keys as written in the file, e.g. {@code shards}
   */
  public List<String> keysNeedingRestart(ProxyConfig reloaded) {
    List<String> keys = new ArrayList<>();
    addIfChanged(keys, "listen", listen, reloaded.listen);
    addIfChanged(keys, "metrics", metrics, reloaded.metrics);
    addIfChanged(keys, "shards", shards, reloaded.shards);
    addIfChanged(keys, "auth", auth, reloaded.auth);
    addIfChanged(keys, "tls", tls, reloaded.tls);
    addIfChanged(keys, "pool_mode", pool.mode(), reloaded.pool.mode());
    addIfChanged(
        keys,
        "prepared_statements_per_server",
        pool.preparedStatementsPerServer(),
        reloaded.pool.preparedStatementsPerServer());
    addIfChanged(keys, "login_timeout", limits.loginTimeout(), reloaded.limits.loginTimeout());
    addIfChanged(
        keys,
        "recovery_interval",
        background.recoveryInterval(),
        reloaded.background.recoveryInterval());
    addIfChanged(
        keys,
        "deadlock_interval",
        background.deadlockInterval(),
        reloaded.background.deadlockInterval());
    addIfChanged(keys, "sharding", sharding, reloaded.sharding);
    addIfChanged(keys, "event_loops", loops.count(), reloaded.loops.count());
    addIfChanged(keys, "transport", loops.transport(), reloaded.loops.transport());
    addIfChanged(keys, "busy_poll", loops.busyPoll(), reloaded.loops.busyPoll());
    return keys;
  }

  private static void addIfChanged(List<String> keys, String key, Object old, Object reloaded) {
    if (!Objects.equals(old, reloaded)) {
      keys.add(key);
    }
  }
}
