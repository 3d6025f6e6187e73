package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.shardmark.config.ConfigException;
import io.shardmark.config.proxy.PoolConfig;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.GidSequence;
import io.shardmark.proxy.commit.Outcome;
import io.shardmark.proxy.ddl.PlacementChanges;
import io.shardmark.proxy.execution.ExecutionPlanner;
import io.shardmark.proxy.local.ProxyRows;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.pool.Budgets;
import io.shardmark.proxy.pool.LoopPools;
import io.shardmark.proxy.pool.PoolPlace;
import io.shardmark.proxy.pool.ServerConnector;
import io.shardmark.proxy.pool.login.LoggedInServer;
import io.shardmark.proxy.protocol.Bytes;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TraceText;
import io.shardmark.proxy.routing.PlanCache;
import io.shardmark.proxy.routing.ddl.ShardDdlPlanner;
import io.shardmark.proxy.settings.Settings;
import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.PartitionRule;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.StartValues;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.shardmap.TransactionCatalogs;
import io.shardmark.proxy.transaction.Recoverer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One event loop of the proxy with sessions, pools and {@link SimulatedServer}s, without a socket
 * or a thread. The test says when a connection is opened, an answer comes and time passes. The
 * table {@code t} is sharded by {@code k}, whose shard is k modulo the number of shards; {@code r}
 * is a reference table.
 */
final class SimulatedCluster implements AutoCloseable {
  private static final int INT4 = 23;
  private static final List<Column> COLUMNS =
      List.of(new Column("k", INT4, true), new Column("v", INT4, true));
  private static final long SWEEP_MILLIS = 50;
  private static final Map<String, String> REPORTED =
      Map.of(
          "server_version", "15.8",
          "client_encoding", "UTF8",
          "DateStyle", "ISO, MDY",
          "TimeZone", "UTC",
          "standard_conforming_strings", "on");

  private static final Map<List<Integer>, ProxyConfig> CONFIGS = new HashMap<>();

  private final List<TestClient> clients = new ArrayList<>();

  private record Modulo(int shards) implements PartitionRule {
    @Override
    public int shardOf(@Nullable Object key) {
      return key instanceof Long number ? Math.floorMod(number, shards) : 0;
    }

    @Override
    public String strategy() {
      return "test";
    }

    @Override
    public List<PartitionRule.RulePlacement> placements() {
      return List.of();
    }
  }

  /** Other clients commit tables, which the map has when it is read the next time. */
  private final class Catalogs implements TransactionCatalogs {
    @Override
    public void changed(Runnable done) {
      catalogReads++;
      if (!committed.isEmpty()) {
        Map<TableName, Table> tables = new HashMap<>(map.tables());
        committed.forEach(table -> tables.put(table.name(), table));
        committed.clear();
        map = new ShardMap(map.shards(), tables, map.version() + 1);
      }
      done.run();
    }

    @Override
    public void changedUnseen() {}

    @Override
    public List<String> question(int shard) {
      return List.of("select 1");
    }

    @Override
    public ShardMap map(Map<Integer, List<List<@Nullable String>>> rows) {
      return map;
    }
  }

  private record Attempt(
      int shard, InetSocketAddress host, ServerConnector.ConnectorListener listener) {}

  private final ProxyConfig config;
  private final EmbeddedChannel timers = new EmbeddedChannel();
  private final Deque<Attempt> attempts = new ArrayDeque<>();
  private final List<List<SimulatedServer>> servers = new ArrayList<>();
  private final PlacementChanges placementChanges = new PlacementChanges();
  private final CancelKeys cancelKeys = new CancelKeys();
  private final SessionContext context;
  private int lastProcessId;
  private int cancelRequests;
  private LongPredicate standbysShow = since -> false;
  private InetSocketAddress standbyHost = InetSocketAddress.createUnresolved("standby", 1);
  private ShardMap map;
  private final List<Table> committed = new ArrayList<>();
  private int catalogReads;

  /**
   * @param poolSize for each shard; a client that waits is refused at the next {@link #passTime}
   */
  SimulatedCluster(int shards, int poolSize) {
    this(
        CONFIGS.computeIfAbsent(
            List.of(shards, poolSize), size -> config(size.get(0), size.get(1), "")),
        Set.of());
  }

  /**
   * Of shards with standbys.
   *
   * @param keys of the configuration, one each line
   */
  static SimulatedCluster replicated(int shards, String keys) {
    return new SimulatedCluster(
        config(shards, 4, keys), IntStream.range(0, shards).boxed().collect(Collectors.toSet()));
  }

  private SimulatedCluster(ProxyConfig config, Set<Integer> replicated) {
    this.config = config;
    int shards = config.shards().size();
    timers.freezeTime();
    List<String> names = config.shards().stream().map(shard -> shard.name()).toList();
    for (int server = 0; server < 2 * shards; server++) {
      servers.add(new ArrayList<>());
    }
    map = map(names);
    PlanCache plans = new PlanCache(new ShardDdlPlanner(Map::of, () -> "reference"));
    LoopCounters counters = new ProxyMetrics(names).newLoop();
    PoolConfig pool = config.pool();
    PoolConfig impatient =
        new PoolConfig(
            pool.mode(),
            pool.size(),
            Duration.ofNanos(1),
            Duration.ZERO,
            pool.preparedStatementsPerServer(),
            pool.serverIdleTimeout(),
            pool.serverLifetime());
    EventLoop loop = timers.eventLoop();
    LoopPools pools =
        new LoopPools(
            new PoolPlace(loop, new Connector(0), counters, names, replicated, new Budgets(1)),
            impatient);
    LoopPools standbyPools =
        new LoopPools(
            new PoolPlace(loop, new Connector(shards), counters, names, replicated, new Budgets(1)),
            impatient);
    context =
        new SessionContext(
            loop,
            pools,
            replicated.isEmpty() ? Optional.empty() : Optional.of(standbyPools),
            new ExecutionPlanner(plans, () -> map, counters),
            counters,
            cluster());
  }

  private SessionContext.Cluster cluster() {
    Recoverer recoverer =
        new Recoverer() {
          @Override
          public CompletableFuture<Outcome> ask(Gid gid) {
            return CompletableFuture.completedFuture(Outcome.UNKNOWN);
          }

          @Override
          public CompletableFuture<@Nullable Void> commit(Gid gid, String shard) {
            return CompletableFuture.completedFuture(null);
          }

          @Override
          public CompletableFuture<String> outcome(String id) {
            return CompletableFuture.completedFuture("committed");
          }

          @Override
          public void request() {}
        };
    return new SessionContext.Cluster(
        () -> config,
        cancelKeys,
        new Notifiers(),
        new GidSequence(),
        recoverer,
        new Catalogs(),
        topic -> new ProxyRows.OwnRows(List.of(), List.of()),
        placementChanges,
        (partition, shard) ->
            shard.equals("s1")
                ? CompletableFuture.completedStage("move 1: " + partition + " to " + shard)
                : CompletableFuture.failedStage(new ConfigException("it is there already")),
        (shard, host, since, limit) ->
            (host == null || host.equals(standbyHost)) && standbysShow.test(since));
  }

  /** From now on standbys show what was committed before such times. */
  void standbysShow(LongPredicate times) {
    standbysShow = times;
  }

  /** Another standby is read from, which pools do not know yet. */
  void standbysMove() {
    standbyHost =
        InetSocketAddress.createUnresolved(standbyHost.getHostName(), standbyHost.getPort() + 1);
  }

  /** Rows are elsewhere from now on. */
  void changeMap() {
    map = map.withVersion(map.version() + 1);
  }

  /** Another client commits a table like {@code r}: on all shards, or on that one. */
  void commit(String name, OptionalInt shard) {
    TableName table = new TableName("public", name);
    committed.add(
        new Table(
            table,
            shard.isPresent() ? new Sharding.OnShard(shard.getAsInt()) : new Sharding.Reference(),
            COLUMNS));
  }

  /** How often the catalogs have been read. */
  int catalogReads() {
    return catalogReads;
  }

  /** Index of a shard's standby, where its servers are asked for. */
  int standbyOf(int shard) {
    return config.shards().size() + shard;
  }

  private static ProxyConfig config(int shards, int poolSize, String keys) {
    StringBuilder yaml = new StringBuilder("listen: 127.0.0.1:0\nauth: trust\n");
    yaml.append(keys.contains("scatter_reads") ? "" : "scatter_reads: fast\n").append(keys);
    yaml.append("pool_size: ").append(poolSize).append('\n');
    yaml.append("users:\n  - {name: u, password: u}\nshards:\n");
    for (int i = 0; i < shards; i++) {
      yaml.append("  - {name: s%d, host: 127.0.0.1, port: 1, database: d%1$d}\n".formatted(i));
    }
    try {
      Path file = Files.createTempFile("proxy", ".yaml");
      try {
        Files.writeString(file, yaml);
        return ProxyConfig.read(file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ShardMap map(List<String> names) {
    TableName t = new TableName("public", "t");
    TableName r = new TableName("public", "r");
    TableName part = new TableName("public", "t_0");
    Sharding byKey = new Sharding.ByColumn("k", KeyType.INTEGER, new Modulo(names.size()));
    return new ShardMap(
        names,
        Map.of(
            t,
            new Table(t, byKey, COLUMNS),
            r,
            new Table(r, new Sharding.Reference(), COLUMNS),
            part,
            new Table(part, new Sharding.OnShard(0), COLUMNS)),
        1);
  }

  private final class Connector implements ServerConnector {
    private final int first;

    /**
     * @param first index of the first shard's servers
     */
    Connector(int first) {
      this.first = first;
    }

    @Override
    public void connect(
        EventLoop loop, int shard, String user, ServerConnector.ConnectorListener listener) {
      attempts.add(new Attempt(first + shard, standbyHost, listener));
    }

    @Override
    public void connectOwn(EventLoop loop, int shard, ServerConnector.ConnectorListener listener) {
      attempts.add(new Attempt(first + shard, standbyHost, listener));
    }

    @Override
    public void cancel(EventLoop loop, int shard, CancelKey key, Consumer<Delivery> done) {
      cancelRequests++;
      servers().stream()
          .filter(server -> server.processId() == key.processId())
          .forEach(SimulatedServer::cancel);
      done.accept(Delivery.OVER);
    }
  }

  int shards() {
    return config.shards().size();
  }

  LoopPools pools() {
    return context.pools();
  }

  PlacementChanges placementChanges() {
    return placementChanges;
  }

  /** How many cancel requests have been sent to servers. */
  int cancelRequests() {
    return cancelRequests;
  }

  /** All connections that have been opened to that shard, oldest first. */
  List<SimulatedServer> servers(int shard) {
    return servers.get(shard);
  }

  /** The one of that shard that is open. */
  SimulatedServer server(int shard) {
    return servers.get(shard).stream().filter(SimulatedServer::isOpen).findFirst().orElseThrow();
  }

  /** All that are open. */
  List<SimulatedServer> servers() {
    return servers.stream().flatMap(List::stream).filter(SimulatedServer::isOpen).toList();
  }

  List<SimulatedServer> allServers() {
    return servers.stream().flatMap(List::stream).toList();
  }

  /** What that shard's servers have got since this was last asked, in short. */
  String asked(int shard) {
    List<String> lines = new ArrayList<>();
    for (SimulatedServer server : servers.get(shard)) {
      lines.addAll(server.trace());
      server.trace().clear();
    }
    return lines.stream()
        .map(SimulatedCluster::inShort)
        .filter(line -> !line.contains("RESET session_authorization"))
        .collect(Collectors.joining(" "));
  }

  /** {@code B CommandComplete 13 "SELECT 1"} as {@code CommandComplete:SELECT 1}. */
  private static String inShort(String line) {
    String[] parts = line.split(" ", 4);
    String fields = parts.length < 4 ? "" : parts[3];
    return switch (parts[1]) {
      case "ErrorResponse", "NoticeResponse" ->
          parts[1] + ':' + fields.split("C \"", 2)[1].substring(0, 5);
      case "ReadyForQuery", "CommandComplete", "Query" ->
          parts[1] + ':' + fields.replaceAll("[\"\\\\]", "").replaceAll("[0-9a-f]{16}:", "");
      case "CopyData" -> parts[1] + ':' + fields.replace("\\x0a", "");
      case "Parse", "Bind", "Execute", "Close", "Describe" ->
          parts[1] + ':' + fields.replaceAll("\"shardmark:?\\w*\"", "own").replaceAll("( 0)+$", "");
      default -> parts[1];
    };
  }

  boolean isConnecting() {
    return !attempts.isEmpty();
  }

  /** The oldest attempt to connect succeeds; which settings it begins with is the usual. */
  void connectOne() {
    Attempt attempt = attempts.poll();
    if (attempt != null) {
      SimulatedServer server = new SimulatedServer(++lastProcessId);
      servers.get(attempt.shard()).add(server);
      CancelKey key = new CancelKey(server.processId(), Bytes.of(new byte[4]));
      Settings settings = Settings.of(StartValues.OF_CONNECTIONS);
      Map<String, String> reported = new HashMap<>(REPORTED);
      reported.put("in_hot_standby", attempt.shard() < shards() ? "off" : "on");
      attempt
          .listener()
          .connected(
              server.channel(),
              new LoggedInServer(
                  reported, settings.withAll(Settings.ofReported(REPORTED)), key, attempt.host()));
      runTasks();
    }
  }

  /** The oldest attempt to connect fails. */
  void failConnect() {
    Attempt attempt = attempts.poll();
    if (attempt != null) {
      attempt
          .listener()
          .failed(ErrorFields.error(SqlState.CONNECTION_FAILURE, "connection refused"));
      runTasks();
    }
  }

  /** Time for a look at who has waited too long for a connection. */
  void passTime() {
    timers.advanceTimeBy(SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    timers.runScheduledPendingTasks();
    runTasks();
  }

  /** What has been queued on the loop. */
  void runTasks() {
    timers.runPendingTasks();
    timers.checkException();
  }

  /** Everything that can happen by itself happens: connections, answers, time. */
  void settle() {
    for (int i = 0; i < 3; i++) {
      boolean busy = true;
      while (busy) {
        busy = isConnecting();
        connectOne();
        for (SimulatedServer server : servers()) {
          busy |= server.isAsked();
          server.answerAll();
          runTasks();
        }
      }
      passTime();
    }
  }

  /** The clients leave; what they have not read is released, and what servers have not. */
  @Override
  public void close() {
    clients.forEach(TestClient::leave);
    allServers().forEach(SimulatedServer::close);
    timers.finishAndReleaseAll();
  }

  /** A client that has logged in; servers are connected as it needs them. */
  TestClient login() {
    TestClient client = new TestClient();
    clients.add(client);
    client.session.start(4);
    settle();
    client.received();
    return client;
  }

  /** A client of the proxy, and its session. */
  final class TestClient {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ClientSession session = new ClientSession(context, channel, "u", "d0", Map.of());
    private @Nullable CancelKey key;

    ClientSession session() {
      return session;
    }

    boolean isOpen() {
      return channel.isOpen();
    }

    /** Sends messages in one piece. */
    @SafeVarargs
    final void send(Consumer<ByteBuf>... messages) {
      ByteBuf bytes = Unpooled.buffer();
      for (Consumer<ByteBuf> message : messages) {
        message.accept(bytes);
      }
      channel.writeInbound(bytes);
      runTasks();
      channel.runPendingTasks();
    }

    /** What it has got since this was last asked, one line for each message. */
    List<String> received() {
      List<String> lines = new ArrayList<>();
      for (ByteBuf in = channel.readOutbound(); in != null; in = channel.readOutbound()) {
        int keyData = key == null ? keyData(in) : -1;
        if (keyData >= 0) {
          byte[] secret = new byte[4];
          in.getBytes(keyData + 9, secret);
          key = new CancelKey(in.getInt(keyData + 5), Bytes.of(secret));
        }
        lines.addAll(TraceText.ofServer(in));
        in.release();
      }
      return lines;
    }

    /** What it has got since this was last asked, in short: names, tags, SQLSTATEs. */
    String answers() {
      return received().stream().map(SimulatedCluster::inShort).collect(Collectors.joining(" "));
    }

    /** It asks for a cancellation on a connection of its own. */
    void cancel() {
      CancelKey given = key;
      if (given != null) {
        cancelKeys.cancel(given, () -> {});
      }
    }

    private static int keyData(ByteBuf messages) {
      int at = messages.readerIndex();
      while (at < messages.writerIndex() && messages.getByte(at) != 'K') {
        at += messages.getInt(at + 1) + 1;
      }
      return at < messages.writerIndex() ? at : -1;
    }

    /** It leaves without Terminate. */
    void leave() {
      channel.finishAndReleaseAll();
      runTasks();
    }
  }
}
