package io.shardmark.config.proxy;

import io.shardmark.config.Processors;
import io.shardmark.config.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** From a YAML document to the configuration; the first thing wrong ends it. */
final class ProxyConfigReader {
  /** Short, since it is part of a prepared transaction's identifier (at most 200 bytes). */
  private static final Pattern SHARD_NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,19}");

  private static final Pattern SCRAM_VERIFIER =
      Pattern.compile(
          "SCRAM-SHA-256\\$\\d{1,9}:[A-Za-z0-9+/=]+\\$[A-Za-z0-9+/]{43}=:[A-Za-z0-9+/]{43}=");

  /** NAMEDATALEN - 1: PostgreSQL cuts longer names. */
  private static final int LONGEST_NAME_BYTES = 63;

  private static final int MOST_SHARDS = 1024;

  /** Longer waits save nothing where microseconds count. */
  private static final Duration LONGEST_BUSY_POLL = Duration.ofMillis(10);

  private final YamlNode root;
  private final Map<String, YamlNode> top;

  ProxyConfigReader(YamlNode root) {
    this.root = root;
    this.top = root.mapping("");
  }

  ProxyConfig read() {
    List<ShardConfig> shards = shards();
    List<UserConfig> users = users();
    AuthMethod auth = get("auth", n -> Scalars.word(n, AuthMethod.class), AuthMethod.SCRAM);
    checkLogins(shards, users, auth);
    return new ProxyConfig(
        get("listen", Scalars::endpoint, new Endpoint("127.0.0.1", 6432)),
        YamlNode.get(top, "unix_socket_directory").map(ProxyConfigReader::directory),
        get("metrics", ProxyConfigReader::endpointOrOff, Optional.empty()),
        shards,
        users,
        auth,
        YamlNode.get(top, "tls").map(ProxyConfigReader::clientTls),
        pool(),
        limits(),
        background(),
        loops(),
        get(
            "cross_shard_isolation",
            n -> Scalars.word(n, CrossShardIsolation.class),
            CrossShardIsolation.REFUSE),
        get("scatter_reads", n -> Scalars.word(n, ScatterReads.class), ScatterReads.CONSISTENT),
        new StandbyReads(
            get(
                "read_from",
                n -> Scalars.word(n, StandbyReads.ReadSource.class),
                StandbyReads.ReadSource.PRIMARY),
            get("standby_lag_limit", Scalars::duration, Duration.ofSeconds(1))),
        get("databases", ProxyConfigReader::namesOrAny, Optional.of(Set.of())),
        get("admin_users", ProxyConfigReader::names, Set.of()),
        get("sharding", ProxyConfigReader::sharding, Map.of()),
        get("unsharded_tables", node -> unsharded(node, shards), ProxyConfig.REFERENCE_TABLES));
  }

  private <T> T get(String key, Function<YamlNode, T> reader, T missing) {
    return YamlNode.get(top, key).map(reader).orElse(missing);
  }

  private static int defaultEventLoops() {
    return Math.max(1, Math.min(256, Runtime.getRuntime().availableProcessors() / 2));
  }

  private static Optional<Endpoint> endpointOrOff(YamlNode node) {
    return node.text("host:port or off").equals("off")
        ? Optional.empty()
        : Optional.of(Scalars.endpoint(node));
  }

  private static Path directory(YamlNode node) {
    Path path = Path.of(node.text("the path of a directory"));
    if (!Files.isDirectory(path)) {
      throw node.unfit("the path of a directory that exists");
    }
    return path.toAbsolutePath();
  }

  private PoolConfig pool() {
    return new PoolConfig(
        get(
            "pool_mode",
            n -> Scalars.word(n, PoolConfig.PoolMode.class),
            PoolConfig.PoolMode.TRANSACTION),
        get("pool_size", n -> Scalars.integer(n, 1, 10_000), 20),
        get("pool_wait_timeout", Scalars::duration, Duration.ofSeconds(10)),
        get("failover_wait", Scalars::durationOrNever, Duration.ofSeconds(10)),
        get("prepared_statements_per_server", n -> Scalars.integer(n, 1, 100_000), 200),
        get("server_idle_timeout", Scalars::durationOrNever, Duration.ofMinutes(10)),
        get("server_lifetime", Scalars::durationOrNever, Duration.ofHours(1)));
  }

  private LimitsConfig limits() {
    return new LimitsConfig(
        get("max_clients", n -> Scalars.integer(n, 1, Integer.MAX_VALUE), 20_000),
        get("login_timeout", Scalars::duration, Duration.ofSeconds(60)),
        get("commit_timeout", Scalars::duration, Duration.ofSeconds(60)),
        get("scatter_memory_limit", Scalars::bytes, 64L << 20));
  }

  private LoopsConfig loops() {
    Processors processors = get("cpus", Scalars::processors, Processors.ANY);
    int count = processors.areAny() ? defaultEventLoops() : processors.numbers().size();
    return new LoopsConfig(
        get("event_loops", n -> Scalars.integer(n, 1, 256), Math.min(256, count)),
        get("transport", n -> Scalars.word(n, Transport.class), Transport.AUTO),
        get("busy_poll", n -> Scalars.durationOrNever(n, LONGEST_BUSY_POLL), Duration.ZERO),
        processors);
  }

  private BackgroundConfig background() {
    return new BackgroundConfig(
        get("recovery_interval", Scalars::duration, Duration.ofSeconds(10)),
        get("deadlock_interval", Scalars::durationOrNever, Duration.ofSeconds(1)),
        get("catalog_interval", Scalars::durationOrNever, Duration.ofSeconds(10)),
        get("drain_timeout", Scalars::duration, Duration.ofSeconds(30)));
  }

  private List<ShardConfig> shards() {
    List<YamlNode> nodes = root.required(top, "shards").list();
    if (nodes.isEmpty() || nodes.size() > MOST_SHARDS) {
      throw root.error("shards: " + nodes.size() + " shards; expected 1 to " + MOST_SHARDS);
    }
    List<ShardConfig> shards = new ArrayList<>();
    Map<String, Integer> names = new HashMap<>();
    Map<String, Integer> addresses = new HashMap<>();
    for (YamlNode node : nodes) {
      ShardConfig shard = shard(node);
      Integer sameName = names.putIfAbsent(shard.name(), shards.size());
      if (sameName != null) {
        throw node.error("name " + shard.name() + " is that of shards[" + sameName + "] too");
      }
      for (Endpoint place : shard.places()) {
        String address = place + "/" + shard.database();
        Integer same = addresses.putIfAbsent(address, shards.size());
        if (same != null) {
          throw node.error(
              address
                  + (same == shards.size()
                      ? " is named twice"
                      : " is shards[" + same + "] too; its rows would be counted twice"));
        }
      }
      shards.add(shard);
    }
    return shards;
  }

  private static ShardConfig shard(YamlNode node) {
    Map<String, YamlNode> keys = node.mapping("shards[]");
    YamlNode name = node.required(keys, "name");
    String expected = "a shard's name (a-z, 0-9, -; 1 to 20 characters)";
    if (!SHARD_NAME.matcher(name.text(expected)).matches()) {
      throw name.unfit(expected);
    }
    Optional<Secret> password = YamlNode.get(keys, "password").map(Scalars::secret);
    Optional<String> user = YamlNode.get(keys, "user").map(ProxyConfigReader::name);
    if (password.isPresent() && user.isEmpty()) {
      throw node.error("has a password but no user");
    }
    List<Endpoint> hosts =
        YamlNode.get(keys, "hosts").map(ProxyConfigReader::hosts).orElse(List.of());
    if (!hosts.isEmpty() && (keys.containsKey("host") || keys.containsKey("port"))) {
      throw node.error("has hosts, and host or port too; hosts are written host:port");
    }
    Endpoint only =
        new Endpoint(
            YamlNode.get(keys, "host").map(ProxyConfigReader::host).orElse("127.0.0.1"),
            YamlNode.get(keys, "port").map(Scalars::port).orElse(5432));
    Endpoint first = hosts.isEmpty() ? only : hosts.get(0);
    ServerTls tls =
        YamlNode.get(keys, "tls").map(ProxyConfigReader::serverTls).orElse(ServerTls.DISABLED);
    if (Stream.concat(Stream.of(first), hosts.stream()).anyMatch(one -> one.socket().isPresent())
        && tls.mode() != ServerTls.TlsMode.DISABLE) {
      throw node.error("asks for tls over a Unix-domain socket, which PostgreSQL does not have");
    }
    return new ShardConfig(
        name.text(expected),
        first.host(),
        first.port(),
        YamlNode.get(keys, "address_for_shards").map(Scalars::endpoint),
        name(node.required(keys, "database")),
        user,
        password,
        tls,
        hosts);
  }

  private static List<Endpoint> hosts(YamlNode node) {
    List<YamlNode> nodes = node.list();
    if (nodes.isEmpty()) {
      throw node.error("is empty; expected host:port of the primary and of each standby");
    }
    return nodes.stream().map(Scalars::server).toList();
  }

  private static String host(YamlNode node) {
    String expected = "a host name or address, or the absolute path of a directory";
    String host = node.text(expected);
    if (!host.matches("[A-Za-z0-9._:%-]+|/[^\u0000]*")) {
      throw node.unfit(expected);
    }
    return host;
  }

  /** A name as PostgreSQL has it: of a role or database. */
  private static String name(YamlNode node) {
    String expected = "a name of 1 to 63 bytes";
    String name = node.text(expected);
    boolean fits =
        name.getBytes(java.nio.charset.StandardCharsets.UTF_8).length <= LONGEST_NAME_BYTES
            && name.indexOf('\0') < 0;
    if (!fits) {
      throw node.unfit(expected);
    }
    return name;
  }

  private static Optional<Set<String>> namesOrAny(YamlNode node) {
    String expected = "a list of names, or any";
    if (!node.isText()) {
      return Optional.of(names(node));
    }
    if (!node.text(expected).equals("any")) {
      throw node.unfit(expected);
    }
    return Optional.empty();
  }

  private static Set<String> names(YamlNode node) {
    Set<String> names = new LinkedHashSet<>();
    node.list().forEach(element -> names.add(name(element)));
    return names;
  }

  private static ServerTls serverTls(YamlNode node) {
    if (node.isText()) {
      ServerTls.TlsMode mode = Scalars.word(node, ServerTls.TlsMode.class);
      return new ServerTls(mode, Optional.empty(), Optional.empty(), Optional.empty());
    }
    Map<String, YamlNode> keys = node.mapping("shards[].tls");
    checkPair(node, keys);
    return new ServerTls(
        YamlNode.get(keys, "mode")
            .map(n -> Scalars.word(n, ServerTls.TlsMode.class))
            .orElse(ServerTls.TlsMode.VERIFY_FULL),
        file(keys, "ca"),
        file(keys, "certificate"),
        file(keys, "key"));
  }

  private static void checkPair(YamlNode node, Map<String, YamlNode> keys) {
    if (keys.containsKey("certificate") != keys.containsKey("key")) {
      throw node.error("certificate and key go together; one is missing");
    }
  }

  private static Optional<Path> file(Map<String, YamlNode> keys, String key) {
    return YamlNode.get(keys, key).map(Scalars::file);
  }

  private static ClientTls clientTls(YamlNode node) {
    Map<String, YamlNode> keys = node.mapping("tls");
    boolean required = YamlNode.get(keys, "required").map(Scalars::truth).orElse(false);
    return new ClientTls(
        Scalars.file(node.required(keys, "certificate")),
        Scalars.file(node.required(keys, "key")),
        file(keys, "client_ca"),
        required ? ClientTls.Policy.REQUIRE : ClientTls.Policy.ALLOW);
  }

  private List<UserConfig> users() {
    List<UserConfig> users = new ArrayList<>();
    Map<String, Integer> names = new HashMap<>();
    for (YamlNode node : YamlNode.get(top, "users").map(YamlNode::list).orElse(List.of())) {
      UserConfig user = user(node);
      Integer same = names.putIfAbsent(user.name(), users.size());
      if (same != null) {
        throw node.error("name " + user.name() + " is that of users[" + same + "] too");
      }
      users.add(user);
    }
    return users;
  }

  private static UserConfig user(YamlNode node) {
    Map<String, YamlNode> keys = node.mapping("users[]");
    Optional<Secret> password = YamlNode.get(keys, "password").map(Scalars::secret);
    Optional<Secret> scram = YamlNode.get(keys, "scram").map(Scalars::secret);
    if (password.isPresent() && scram.isPresent()) {
      throw node.error("has a password and a scram verifier; one of them is enough");
    }
    scram.ifPresent(
        verifier -> {
          if (!SCRAM_VERIFIER.matcher(verifier.value()).matches()) {
            throw node.error(
                "scram: is not of the form SCRAM-SHA-256$iterations:salt$storedkey:serverkey");
          }
        });
    return new UserConfig(name(node.required(keys, "name")), password, scram);
  }

  private void checkLogins(List<ShardConfig> shards, List<UserConfig> users, AuthMethod auth) {
    if (auth == AuthMethod.SCRAM && users.isEmpty()) {
      throw root.error("users: is missing; name who may log in, or set auth to shards or trust");
    }
    for (int i = 0; i < users.size(); i++) {
      UserConfig user = users.get(i);
      if (auth == AuthMethod.SCRAM && user.password().isEmpty() && user.scram().isEmpty()) {
        throw root.error("users[" + i + "]: has neither password nor scram verifier");
      }
    }
    boolean firstUserCanLogIn = !users.isEmpty() && users.get(0).scram().isEmpty();
    for (int i = 0; i < shards.size(); i++) {
      boolean ownLogin = shards.get(i).user().isPresent();
      if (!ownLogin && (auth == AuthMethod.SHARDS || !firstUserCanLogIn)) {
        throw root.error(
            "shards["
                + i
                + "].user: is missing; the proxy reads catalogs with it"
                + (auth == AuthMethod.SHARDS ? " and, for auth: shards, the verifiers" : "")
                + (users.isEmpty() ? "" : " (the first of users has no password)"));
      }
    }
  }

  private static String unsharded(YamlNode node, List<ShardConfig> shards) {
    String where = node.text("reference or the name of a shard");
    boolean known = shards.stream().anyMatch(shard -> shard.name().equals(where));
    if (!known && !where.equals(ProxyConfig.REFERENCE_TABLES)) {
      throw node.unfit("reference or the name of a shard");
    }
    return where;
  }

  private static Map<String, String> sharding(YamlNode node) {
    Map<String, String> columns = new LinkedHashMap<>();
    node.mapping()
        .forEach(
            (table, column) -> {
              if (table.chars().filter(c -> c == '.').count() > 1 || table.isEmpty()) {
                throw column.error("is not a table (table or schema.table)");
              }
              columns.put(table, name(column));
            });
    return columns;
  }
}
