package io.shardmark.config.proxy;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Every key of {@code proxy.yaml}: the one table that reading, spelling hints and {@code
 * docs/proxy-properties.md} agree with.
 */
enum ProxyKey {
  LISTEN("host:port", "127.0.0.1:6432", "restart", "where clients connect"),
  UNIX_SOCKET_DIRECTORY(
      "directory",
      "none",
      "restart",
      "where clients of this machine find a Unix-domain socket, .s.PGSQL. and the port"),
  METRICS("host:port or off", "off", "restart", "where Prometheus reads /metrics"),
  SHARDS(
      "list",
      "required",
      "restart",
      "the shards, numbered from 1 in this order; a reload takes one that is appended"),
  SHARD_NAME(
      "shards[].name",
      "a-z 0-9 -, up to 20",
      "required",
      "restart",
      "the shard's name; never change it, recovery finds a transaction's decision by it"),
  SHARD_HOST(
      "shards[].host",
      "host or directory",
      "127.0.0.1",
      "restart",
      "name or address of the server, or the directory of its Unix-domain socket"),
  SHARD_PORT("shards[].port", "port", "5432", "restart", "port of the server"),
  SHARD_HOSTS(
      "shards[].hosts",
      "list of host:port",
      "none",
      "reload",
      "instead of host and port: the primary and its standbys, in any order"),
  SHARD_ADDRESS_FOR_SHARDS(
      "shards[].address_for_shards",
      "host:port",
      "host and port",
      "restart",
      "how the other shards reach the server, for moves of partitions"),
  SHARD_DATABASE("shards[].database", "name", "required", "restart", "database on the server"),
  SHARD_USER(
      "shards[].user",
      "name",
      "the first of users",
      "restart",
      "the proxy's own login, for catalogs and recovery"),
  SHARD_PASSWORD(
      "shards[].password", "text", "none", "restart", "password of that login, never printed"),
  SHARD_TLS(
      "shards[].tls",
      "mode or mapping",
      "disable",
      "restart",
      "disable, require, verify_ca, verify_full"),
  SHARD_TLS_MODE(
      "shards[].tls.mode", "mode", "verify_full", "restart", "the same inside a mapping"),
  SHARD_TLS_CA("shards[].tls.ca", "path", "the JDK's", "restart", "PEM certificates to trust"),
  SHARD_TLS_CERTIFICATE(
      "shards[].tls.certificate", "path", "none", "restart", "PEM chain shown to the shard"),
  SHARD_TLS_KEY(
      "shards[].tls.key", "path", "none", "restart", "PEM private key of it, PKCS 8, unencrypted"),
  USERS("list", "none", "reload", "who may log in, if auth is scram"),
  USER_NAME(
      "users[].name",
      "name",
      "required",
      "reload",
      "user name, the same on the shards; the first needs a restart where it serves as"
          + " `shards[].user`"),
  USER_PASSWORD("users[].password", "text", "none", "reload", "password, never printed"),
  USER_SCRAM(
      "users[].scram", "verifier", "none", "reload", "instead of a password: SCRAM-SHA-256$..."),
  AUTH(
      "name",
      "scram",
      "restart",
      "scram (against users), shards (against pg_authid of the first shard), trust"),
  TLS("mapping", "no TLS", "restart", "TLS towards clients"),
  TLS_CERTIFICATE("tls.certificate", "path", "required", "restart", "PEM chain of the proxy"),
  TLS_KEY("tls.key", "path", "required", "restart", "PEM private key of it, PKCS 8, unencrypted"),
  TLS_CLIENT_CA(
      "tls.client_ca",
      "path",
      "none",
      "restart",
      "clients must show a certificate signed by one of these"),
  TLS_REQUIRED("tls.required", "true/false", "false", "restart", "whether clear text is refused"),
  POOL_MODE(
      "name",
      "transaction",
      "restart",
      "transaction or session: how long a client keeps server connections"),
  POOL_SIZE(
      "int 1..10000",
      "20",
      "reload",
      "server connections for each shard and user, at most, over all event loops; one more in"
          + " reserve for clients that wait for each other"),
  POOL_WAIT_TIMEOUT(
      "duration", "10s", "reload", "how long a client waits for a server connection before 53300"),
  FAILOVER_WAIT(
      "duration",
      "10s",
      "reload",
      "how long a statement waits for a shard with `hosts` that has no primary, before 08006; 0 is"
          + " not at all"),
  PREPARED_STATEMENTS_PER_SERVER(
      "int 1..100000", "200", "restart", "prepared statements kept on each server connection"),
  SERVER_IDLE_TIMEOUT(
      "duration", "10min", "reload", "unused server connections are closed after it; 0 is never"),
  SERVER_LIFETIME(
      "duration",
      "1h",
      "reload",
      "server connections of this age are closed when unused; 0 is never"),
  MAX_CLIENTS("int from 1", "20000", "reload", "client connections at once"),
  LOGIN_TIMEOUT("duration", "60s", "restart", "time that a login may take"),
  COMMIT_TIMEOUT(
      "duration",
      "60s",
      "reload",
      "how long a shard may owe the answer to a COMMIT or ROLLBACK, or to a step of a commit over"
          + " several shards; then its connection is closed. Also how long COMMIT then waits for a"
          + " shard to show the rows"),
  SCATTER_MEMORY_LIMIT(
      "size",
      "64MB",
      "reload",
      "what one statement may hold back to merge rows of several shards, and what a row of COPY into"
          + " several may take"),
  CROSS_SHARD_ISOLATION(
      "name",
      "refuse",
      "reload",
      "REPEATABLE READ and SERIALIZABLE over several shards: refuse, per_shard, or snapshot"),
  SCATTER_READS(
      "name",
      "consistent",
      "reload",
      "whether a READ COMMITTED statement that reads several shards sees every transaction whole:"
          + " consistent or fast"),
  READ_FROM(
      "name",
      "primary",
      "reload",
      "where READ ONLY transactions of READ COMMITTED read, of shards with `hosts`: primary, standby,"
          + " or any"),
  STANDBY_LAG_LIMIT(
      "duration",
      "1s",
      "reload",
      "how old what a standby shows may be at most; else the primary is read"),
  EVENT_LOOPS("int 1..256", "half the processors", "restart", "threads that serve clients"),
  TRANSPORT("name", "auto", "restart", "auto, io_uring, epoll, nio"),
  BUSY_POLL(
      "duration",
      "0",
      "restart",
      "how long a thread goes on looking for work before it sleeps, up to 10ms: less latency for a"
          + " few clients, more processor time"),
  CPUS(
      "list of processors",
      "any",
      "restart",
      "processors that these threads are bound to, each to one, in turns: 2,4-7; event_loops is then"
          + " as many by default; the proxy's other threads keep to the rest; Linux only"),
  RECOVERY_INTERVAL(
      "duration", "10s", "restart", "between two looks for transactions left in doubt"),
  DEADLOCK_INTERVAL(
      "duration",
      "1s",
      "restart",
      "between two looks for deadlocks over several shards; 0 is never"),
  CATALOG_INTERVAL(
      "duration",
      "10s",
      "reload",
      "between two looks for tables changed past the proxy; 0 is never"),
  DRAIN_TIMEOUT("duration", "30s", "reload", "how long a stop waits for transactions"),
  DATABASES(
      "list of names or any",
      "none",
      "reload",
      "database names that clients may ask for besides those of the shards' databases"),
  ADMIN_USERS("list of names", "none", "reload", "who may use the database shardmark"),
  SHARDING(
      "table: column", "none", "restart", "sharding columns of tables that are not partitioned"),
  UNSHARDED_TABLES(
      "name",
      "reference",
      "restart",
      "where CREATE TABLE without PARTITION BY and WITH (shard = ...) makes a table: reference (on"
          + " every shard), or the name of a shard");

  private final String path;
  private final String type;
  private final String missing;
  private final String change;
  private final String meaning;

  /** A key at the top of the file. */
  ProxyKey(String type, String missing, String change, String meaning) {
    this.path = name().toLowerCase(Locale.ROOT);
    this.type = type;
    this.missing = missing;
    this.change = change;
    this.meaning = meaning;
  }

  /**
   * @param missing the default, or what happens without the key
   * @param change reload: SIGHUP or RELOAD takes a new value over; restart: it needs a restart
   */
  ProxyKey(String path, String type, String missing, String change, String meaning) {
    this.path = path;
    this.type = type;
    this.missing = missing;
    this.change = change;
    this.meaning = meaning;
  }

  /** The key's row in the table of {@code docs/proxy-properties.md}. */
  String tableRow() {
    return "| `%s` | %s | %s | %s | %s |".formatted(path, type, missing, change, meaning);
  }

  /** Without the parts before the last dot. */
  String lastName() {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /** The mapping that has it: "" is the document, {@code shards[]} an element of that list. */
  String section() {
    return path.substring(0, Math.max(path.lastIndexOf('.'), 0));
  }

  /** The key of that path. */
  static ProxyKey of(String path) {
    return Arrays.stream(values()).filter(key -> key.path.equals(path)).findFirst().orElseThrow();
  }

  /** Whether a running proxy cannot take over a new value. */
  boolean needsRestart() {
    return change.equals("restart");
  }

  static Set<String> namesIn(String section) {
    return Arrays.stream(values())
        .filter(key -> key.section().equals(section))
        .map(ProxyKey::lastName)
        .collect(Collectors.toUnmodifiableSet());
  }
}
