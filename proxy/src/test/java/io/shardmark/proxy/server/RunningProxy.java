package io.shardmark.proxy.server;

import io.shardmark.config.Secret;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.admin.ShardMapTable;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.catalog.CatalogReader;
import io.shardmark.proxy.catalog.CatalogRefresher;
import io.shardmark.proxy.catalog.ShardConnections;
import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.GidSequence;
import io.shardmark.proxy.commit.Outcome;
import io.shardmark.proxy.ddl.PlacementChanges;
import io.shardmark.proxy.faults.Relay;
import io.shardmark.proxy.local.ProxyRows;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.placement.ProxyMeeting;
import io.shardmark.proxy.protocol.LeakCheck;
import io.shardmark.proxy.recovery.Recovery;
import io.shardmark.proxy.recovery.RecoveryOptions;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.routing.PlanCache;
import io.shardmark.proxy.routing.ddl.ShardDdlPlanner;
import io.shardmark.proxy.session.CancelKeys;
import io.shardmark.proxy.session.Notifiers;
import io.shardmark.proxy.session.SessionContext;
import io.shardmark.proxy.session.login.ClientLoginConfig;
import io.shardmark.proxy.session.login.Credential;
import io.shardmark.proxy.shardmap.LiveShardMap;
import io.shardmark.proxy.shards.ShardHosts;
import io.shardmark.proxy.snapshot.GateSql;
import io.shardmark.proxy.transaction.Recoverer;
import io.shardmark.sql.embedded.EmbeddedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A proxy in this JVM over databases of one embedded server, which lives as long as the JVM.
 * Closing it fails if a buffer has leaked meanwhile.
 */
public final class RunningProxy implements AutoCloseable {
  /** Configured with its name as password; a role of the server if a test makes it. */
  static final String OTHER_USER = "other_user";

  private static final AtomicInteger DATABASES = new AtomicInteger();

  private static final class Holder {
    static final EmbeddedServer SERVER =
        EmbeddedServer.start(
            "embedded:postgres?fsync=off&set.scram_iterations=1&set.max_prepared_transactions=50",
            "postgres",
            new Secret("postgres"),
            "postgres",
            200,
            line -> {});

    /** A database with what a proxy makes on each of its shards. */
    static final String SHARD = makeShard();

    private static String makeShard() {
      try {
        execute(SERVER.jdbcUrl(), "create database shard");
        execute(
            SERVER.jdbcUrl("shard"),
            CommitSql.CREATE_SCHEMA,
            CommitSql.CREATE_TABLE,
            GateSql.CREATE);
        return "shard";
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void execute(String url, String... sql) throws SQLException {
    try (Connection connection = open(url);
        Statement statement = connection.createStatement()) {
      for (String one : sql) {
        statement.execute(one);
      }
    }
  }

  private final List<String> databases;
  private final AtomicReference<ProxyConfig> config;
  private final ProxyServer server;
  private final CatalogRefresher refresher;
  private final BackgroundRunner runner;
  private final ShardHosts hosts;
  private final ProxyMetrics metrics;
  private final LeakCheck leaks;
  private final Placement placement;
  private @Nullable ProxyMeeting meeting;

  private RunningProxy(
      List<String> databases,
      AtomicReference<ProxyConfig> config,
      ProxyServer server,
      CatalogRefresher refresher,
      BackgroundRunner runner,
      ShardHosts hosts,
      ProxyMetrics metrics,
      LeakCheck leaks,
      Placement placement) {
    this.placement = placement;
    this.runner = runner;
    this.hosts = hosts;
    this.databases = databases;
    this.config = config;
    this.server = server;
    this.metrics = metrics;
    this.leaks = leaks;
    this.refresher = refresher;
  }

  /** Over so many new databases; {@code moreKeys}: further lines of the configuration file. */
  public static RunningProxy start(int shards, String... moreKeys) {
    try {
      List<String> databases = newShards(shards);
      return start(databases, config(databases, moreKeys));
    } catch (SQLException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whose shards are where the resolver says. */
  static RunningProxy startAt(ShardHosts.Resolver resolver, int shards) {
    try {
      List<String> databases = newShards(shards);
      return start(databases, config(databases), resolver);
    } catch (SQLException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** That reaches its shards through this. */
  static RunningProxy startBehind(Relay relay, int shards, String... moreKeys) {
    try {
      List<String> databases = newShards(shards);
      return start(databases, config(relay.port(), databases, moreKeys));
    } catch (SQLException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Over one database of a server that is reached by its Unix-domain socket. */
  static RunningProxy startAtSocket(Path directory, int port, String database, String... moreKeys) {
    try {
      List<String> databases = List.of(database);
      return start(databases, config(directory.toString(), port, databases, moreKeys));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> newShards(int shards) throws SQLException {
    List<String> databases =
        java.util.stream.IntStream.range(0, shards)
            .mapToObj(i -> "proxy" + DATABASES.incrementAndGet())
            .toList();
    for (String database : databases) {
      execute(
          Holder.SERVER.jdbcUrl(),
          "create database %s template %s strategy file_copy".formatted(database, Holder.SHARD));
    }
    return databases;
  }

  /** Another proxy for the same shards; to be closed before this one. */
  public RunningProxy beside(String... moreKeys) {
    try {
      return start(databases, config(databases, moreKeys));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ProxyConfig config(List<String> databases, String... moreKeys) throws IOException {
    return config(Holder.SERVER.port(), databases, moreKeys);
  }

  private static ProxyConfig config(int port, List<String> databases, String... moreKeys)
      throws IOException {
    return config("127.0.0.1", port, databases, moreKeys);
  }

  private static ProxyConfig config(
      String host, int port, List<String> databases, String... moreKeys) throws IOException {
    StringBuilder yaml = new StringBuilder("auth: trust\ndatabases: [test]\n");
    if (Stream.of(moreKeys).noneMatch(key -> key.startsWith("listen"))) {
      yaml.append("listen: 127.0.0.1:0\n");
    }
    if (Stream.of(moreKeys).noneMatch(key -> key.startsWith("event_loops"))) {
      yaml.append("event_loops: 1\n");
    }
    yaml.append("users:\n  - {name: postgres, password: postgres}\n");
    yaml.append("  - {name: %1$s, password: %1$s}\nshards:\n".formatted(OTHER_USER));
    for (int i = 0; i < databases.size(); i++) {
      yaml.append(
          "  - {name: s%d, host: %s, port: %d, database: %s}\n"
              .formatted(i, host, port, databases.get(i)));
    }
    for (String key : moreKeys) {
      yaml.append(key).append('\n');
    }
    Path file = Files.createTempFile("proxy", ".yaml");
    try {
      Files.writeString(file, yaml);
      return ProxyConfig.read(file);
    } finally {
      Files.delete(file);
    }
  }

  private static RunningProxy start(List<String> databases, ProxyConfig config) {
    return start(databases, config, host -> List.of(InetAddress.getByName(host)));
  }

  private static RunningProxy start(
      List<String> databases, ProxyConfig config, ShardHosts.Resolver resolver) {
    AtomicReference<ProxyConfig> now = new AtomicReference<>(config);
    LeakCheck leaks = new LeakCheck();
    leaks.start();
    ProxyMetrics metrics = new ProxyMetrics(config.shards().stream().map(s -> s.name()).toList());
    ShardHosts hosts = new ShardHosts(now::get, resolver);
    CatalogReader reader =
        new CatalogReader(new ShardConnections(now::get, hosts), Clock.systemUTC());
    LiveShardMap live = new LiveShardMap(reader.read(config.sharding()).map());
    BackgroundRunner runner = new BackgroundRunner();
    CatalogRefresher refresher =
        new CatalogRefresher(
            reader,
            live,
            new CatalogRefresher.RefresherSettings(config::sharding, () -> Duration.ofMinutes(1)),
            metrics,
            runner);
    ProxyRows rows =
        topic -> {
          var table = ShardMapTable.of(topic, live.get(), Objects.requireNonNull(now.get()));
          return new ProxyRows.OwnRows(
              table.columns().stream()
                  .map(c -> io.shardmark.proxy.protocol.RowField.text(c.name()))
                  .toList(),
              table.rows());
        };
    GidSequence gids = new GidSequence();
    Recovery recovery =
        new Recovery(
            access(databases),
            gids,
            RecoveryOptions.every(Duration.ofSeconds(1)),
            outcome -> {},
            report -> {},
            runner);
    Recoverer recoverer =
        new Recoverer() {
          @Override
          public CompletableFuture<Outcome> ask(Gid gid) {
            return CompletableFuture.completedFuture(Outcome.UNKNOWN);
          }

          @Override
          public CompletableFuture<@Nullable Void> commit(Gid gid, String shard) {
            return recovery.commit(gid, shard);
          }

          @Override
          public CompletableFuture<String> outcome(String id) {
            return CompletableFuture.completedFuture("committed");
          }

          @Override
          public void request() {
            recovery.request();
          }
        };
    PlacementChanges placementChanges = new PlacementChanges();
    ProxyServer server =
        ProxyServer.start(
            new ProxyParts(
                now::get,
                hosts,
                live,
                new PlanCache(new ShardDdlPlanner(config::sharding, config::unshardedTables)),
                new ClientLoginConfig(user -> new Credential.Trust(), Duration.ofSeconds(10)),
                metrics,
                shard -> "",
                new SessionContext.Cluster(
                    now::get,
                    new CancelKeys(),
                    new Notifiers(),
                    gids,
                    recoverer,
                    refresher,
                    rows,
                    placementChanges,
                    (partition, shard) ->
                        CompletableFuture.failedStage(new IllegalStateException()),
                    (shard, host, since, limit) -> false)),
            (channel, client) -> {
              var unused = channel.close();
            });
    refresher.whenRolesEnd(server::rolesEnded);
    return new RunningProxy(
        databases,
        now,
        server,
        refresher,
        runner,
        hosts,
        metrics,
        leaks,
        new Placement(placementChanges, refresher));
  }

  /** Agrees with other proxies from now on before tables are moved. */
  public RunningProxy meetingOthers(Duration limit) {
    ProxyMeeting begun =
        new ProxyMeeting(access(databases), placement.changes(), placement.map(), limit, runner);
    begun.start();
    meeting = begun;
    return this;
  }

  private record Placement(PlacementChanges changes, CatalogRefresher map) {}

  private record Access(String name, String database) implements ShardAccess {
    @Override
    public Connection open() throws SQLException {
      return RunningProxy.open(Holder.SERVER.jdbcUrl(database));
    }
  }

  private static List<ShardAccess> access(List<String> databases) {
    List<ShardAccess> shards = new ArrayList<>();
    databases.forEach(database -> shards.add(new Access("s" + shards.size(), database)));
    return shards;
  }

  /** What a reload makes of another configuration, which begins with the same lines. */
  void reload(String... moreKeys) throws Exception {
    config.set(config(databases, moreKeys));
    server.reconfigure();
    for (SessionContext context : server.loops()) {
      context.loop().submit(() -> {}).get(); // it has taken that over before this
    }
  }

  public ProxyServer server() {
    return server;
  }

  /** Where its shards are. */
  ShardHosts hosts() {
    return hosts;
  }

  /** What all loops have counted for that shard. */
  long sum(int shard, ShardCounter counter) {
    return metrics.sum(loop -> loop.get(shard, counter));
  }

  /** What all loops have counted. */
  long sum(LoopCounter counter) {
    return metrics.sum(loop -> loop.get(counter));
  }

  /** How many clients hold connections to shards, once the loops have done what they do. */
  long holders() {
    try {
      for (SessionContext context : server.loops()) {
        context.loop().submit(() -> {}).get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
    return metrics.sum(loop -> loop.get(LoopCounter.CLIENTS_ACTIVE));
  }

  int port() {
    return server.address().getPort();
  }

  /** For DriverManager. */
  public String url(String... parameters) {
    return "jdbc:postgresql://127.0.0.1:" + port() + "/test?" + String.join("&", parameters);
  }

  /** Through the proxy. */
  public Connection connect(String... parameters) throws SQLException {
    return open(url(parameters));
  }

  /** Through the proxy, ready to say whatever a test wants. */
  WireClient login() throws IOException {
    return WireClient.login(port());
  }

  /** The name of a shard's database. */
  String database(int index) {
    return databases.get(index);
  }

  /** Past the proxy, for other clients. */
  String directUrl(int index) {
    return Holder.SERVER.jdbcUrl(databases.get(index));
  }

  /** Past the proxy. */
  public Connection shard(int index) throws SQLException {
    return open(Holder.SERVER.jdbcUrl(databases.get(index)));
  }

  /** Executes what concerns all databases of the server that has the shards. */
  void onServer(String sql) throws SQLException {
    execute(Holder.SERVER.jdbcUrl(), sql);
  }

  /** Runs a statement on every shard, past the proxy. */
  public void onShards(String sql) throws SQLException {
    for (int shard = 0; shard < databases.size(); shard++) {
      try (Connection connection = shard(shard);
          Statement statement = connection.createStatement()) {
        statement.execute(sql.replace("$shard", Integer.toString(shard)));
      }
    }
  }

  /** Runs a statement on every shard, past the proxy, which knows what it has made. */
  void makeOnShards(String sql) throws SQLException {
    onShards(sql);
    refresh();
  }

  /** The first value of a shard's own answer, as text. */
  public String onShard(int index, String sql) throws SQLException {
    try (Connection connection = shard(index);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      if (!row.next()) {
        throw new AssertionError("no rows: " + sql);
      }
      return String.valueOf(row.getString(1));
    }
  }

  /** Reads the catalogs again. */
  public void refresh() {
    refresher.refresh().toCompletableFuture().join();
  }

  /** A new database of the same server, that is no shard: its URL. */
  public static String plainDatabase() throws SQLException {
    return Holder.SERVER.jdbcUrl(newPlainDatabase());
  }

  /** Of a database of the same server, past the proxy. */
  static String serverUrl(String database) {
    return Holder.SERVER.jdbcUrl(database);
  }

  static int serverPort() {
    return Holder.SERVER.port();
  }

  /** A new database of the same server, that is no shard: its name. */
  static String newPlainDatabase() throws SQLException {
    String database = "plain" + DATABASES.incrementAndGet();
    execute(Holder.SERVER.jdbcUrl(), "create database " + database + " strategy file_copy");
    return database;
  }

  public static Connection open(String url) throws SQLException {
    return DriverManager.getConnection(url, "postgres", "postgres");
  }

  @Override
  public void close() {
    server.close();
    runner.close();
    refresher.close();
    if (meeting != null) {
      meeting.close();
    }
    try {
      List<String> leaked = leaks.finish();
      if (!leaked.isEmpty()) {
        throw new AssertionError(leaked.size() + " buffers leaked: " + leaked.get(0));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
