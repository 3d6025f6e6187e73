package io.shardmark.proxy.admin;

import io.shardmark.config.BuildInfo;
import io.shardmark.config.proxy.Endpoint;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.ShardConfig;
import io.shardmark.proxy.admin.ProxyState.ServerInfo;
import io.shardmark.proxy.admin.ProxyState.TransactionInfo;
import io.shardmark.proxy.catalog.ShardStatus;
import io.shardmark.proxy.deadlock.DeadlockDetector;
import io.shardmark.proxy.deadlock.LockWait;
import io.shardmark.proxy.deadlock.ServerTransaction;
import io.shardmark.proxy.growth.Growth.MoveInfo;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.session.SessionView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of the SHOW commands. */
record AdminTables(ProxyState state) {
  TextTable pools() {
    ProxyMetrics metrics = state.metrics();
    ProxyConfig config = state.config();
    return TextTable.of(
        "shard pool_mode pool_size:int8 servers_active:int8 servers_idle:int8"
            + " servers_connecting:int8 clients_waiting:int8 waits:int8 wait_microseconds:int8"
            + " wait_timeouts:int8",
        IntStream.range(0, state.shards().size())
            .mapToObj(
                shard ->
                    TextTable.row(
                        name(shard),
                        word(config.pool().mode()),
                        config.pool().size(),
                        metrics.sum(shard, ShardCounter.SERVERS_ACTIVE),
                        metrics.sum(shard, ShardCounter.SERVERS_IDLE),
                        metrics.sum(shard, ShardCounter.SERVERS_CONNECTING),
                        metrics.sum(shard, ShardCounter.CLIENTS_WAITING),
                        metrics.sum(shard, ShardCounter.POOL_WAITS),
                        metrics.sum(shard, ShardCounter.POOL_WAIT_NANOS) / 1000,
                        metrics.sum(shard, ShardCounter.POOL_TIMEOUTS))));
  }

  TextTable clients(List<SessionView> clients) {
    return TextTable.of(
        "id:int8 user database application_name address state shards age_seconds:int8",
        clients.stream()
            .map(
                client ->
                    TextTable.row(
                        client.id(),
                        client.user(),
                        client.database(),
                        client.applicationName(),
                        client.address(),
                        client.state(),
                        client.shards().stream().map(this::name).collect(Collectors.joining(" ")),
                        TimeUnit.NANOSECONDS.toSeconds(client.ageNanos()))));
  }

  private String name(int shard) {
    return state.config().shards().get(shard).name();
  }

  static TextTable servers(List<ServerInfo> servers) {
    return TextTable.of(
        "shard server_process:int8 user state client:int8 age_seconds:int8",
        servers.stream()
            .map(
                server ->
                    TextTable.row(
                        server.shard(),
                        server.serverProcess(),
                        server.user(),
                        server.state(),
                        server.client().orElse(null),
                        server.ageSeconds())));
  }

  static TextTable transactions(List<TransactionInfo> transactions) {
    return TextTable.of(
        "client:int8 gid shards state age_seconds:int8 detail",
        transactions.stream()
            .map(
                one ->
                    TextTable.row(
                        one.client().orElse(null),
                        one.gid(),
                        String.join(" ", one.shards()),
                        one.state(),
                        one.ageSeconds(),
                        one.detail())));
  }

  /** The processes' clients are those of this proxy; others' have none here. */
  CompletionStage<TextTable> locks() {
    // The clients are asked afterwards: who waits has come before.
    return state
        .locks()
        .thenCompose(locks -> state.servers().thenApply(servers -> locks(locks, servers)));
  }

  private TextTable locks(DeadlockDetector.Waits locks, List<ServerInfo> servers) {
    return TextTable.of(
        "shard waiting_process:int8 waiting_client:int8 holding_process:int8"
            + " holding_client:int8 prepared lock waiting_milliseconds:int8 statement",
        Stream.concat(
            locks.waits().stream().map(wait -> lock(wait, servers)),
            locks.unreachable().entrySet().stream().map(AdminTables::unreachable)));
  }

  private List<@Nullable String> lock(LockWait wait, List<ServerInfo> servers) {
    String shard = name(wait.shard());
    ServerTransaction holder = wait.holder();
    return TextTable.row(
        shard,
        wait.waiter().processId(),
        client(servers, shard, wait.waiter().processId()),
        holder.processId(),
        client(servers, shard, holder.processId()),
        holder.isPrepared() ? holder.name() : "",
        wait.lock(),
        wait.waiting().toMillis(),
        wait.statement());
  }

  private static List<@Nullable String> unreachable(Map.Entry<String, String> shard) {
    String why = "shard cannot be asked: " + shard.getValue();
    return TextTable.row(shard.getKey(), 0, null, 0, null, "", why, 0, "");
  }

  private static @Nullable Integer client(List<ServerInfo> servers, String shard, int process) {
    return servers.stream()
        .filter(server -> server.shard().equals(shard) && server.serverProcess() == process)
        .flatMap(server -> server.client().stream())
        .findFirst()
        .orElse(null);
  }

  /**
   * @param additions of shards that do not count: stages, and after a colon and a space notes
   * @param otherwise the same of those that are not among them
   */
  TextTable shards(Map<String, String> additions, String otherwise) {
    List<ShardStatus> states = state.shards();
    return TextTable.of(
        "shard:int4 name host port:int4 database state detail since",
        IntStream.range(0, state.config().shards().size())
            .mapToObj(
                index -> {
                  ShardConfig shard = state.config().shards().get(index);
                  if (index < states.size()) {
                    ShardStatus status = states.get(index);
                    return shard(
                        index, shard, word(status.state()), status.detail(), status.since());
                  }
                  String[] stage = additions.getOrDefault(shard.name(), otherwise).split(": ", 2);
                  return shard(index, shard, stage[0], stage[1], null);
                }));
  }

  private List<@Nullable String> shard(
      int index, ShardConfig shard, String word, String detail, @Nullable Instant since) {
    Endpoint place = state.place(index);
    return TextTable.row(
        index + 1, shard.name(), place.host(), place.port(), shard.database(), word, detail, since);
  }

  TextTable hosts() {
    return TextTable.of(
        "shard host state timeline:int4 lag_bytes:int8 lag_milliseconds:int8 detail",
        state.hosts().stream()
            .map(
                host ->
                    TextTable.row(
                        host.shard(),
                        host.name(),
                        host.state(),
                        host.timeline().orElse(null),
                        host.lagBytes().orElse(null),
                        host.lagMillis().orElse(null),
                        host.detail())));
  }

  TextTable stats() {
    return TextTable.of(
        "name value:int8",
        Stream.concat(
            Stream.of(TextTable.row("uptime_seconds", state.uptimeNanos() / 1_000_000_000L)),
            state.metrics().numbers().entrySet().stream()
                .map(number -> TextTable.row(number.getKey(), number.getValue()))));
  }

  TextTable problems() {
    return TextTable.of("problem", state.catalogProblems().stream().map(TextTable::row));
  }

  TextTable shardMap() {
    return ShardMapTable.of(state.shardMap(), state.config());
  }

  static TextTable version() {
    BuildInfo build = BuildInfo.of(AdminTables.class);
    return TextTable.of(
        "version commit",
        Stream.of(TextTable.row("Shardmark proxy " + build.version(), build.commit())));
  }

  /** Rates are those since the beginning; what is not known is NULL. */
  static TextTable moves(List<MoveInfo> moves) {
    return TextTable.of(
        "move:int4 partitions from to stage seconds:int8 bytes:int8 copied:int8"
            + " bytes_per_second:int8 seconds_left:int8 lag_bytes:int8 note",
        moves.stream()
            .map(
                move -> {
                  long rate = move.copied() / Math.max(1, move.seconds());
                  boolean copies = move.bytes() > 0;
                  return TextTable.row(
                      move.id(),
                      String.join(" ", move.partitions()),
                      move.source(),
                      move.target(),
                      move.stage(),
                      move.seconds(),
                      copies ? move.bytes() : null,
                      copies ? move.copied() : null,
                      copies ? rate : null,
                      rate > 0 ? Math.max(0, move.bytes() - move.copied()) / rate : null,
                      move.lag() < 0 ? null : move.lag(),
                      move.note());
                }));
  }

  /** The keys of the file with the values in force; no password. */
  TextTable config() {
    return TextTable.of(
        "key value",
        Stream.concat(
            Stream.of(TextTable.row("mode", state.mode())),
            state.config().values().entrySet().stream()
                .filter(key -> !key.getKey().equals("shards")) // SHOW SHARDS
                .map(key -> TextTable.row(key.getKey(), shown(key.getKey(), key.getValue())))));
  }

  private String shown(String key, Object value) {
    return switch (key) {
      case "tls" -> state.config().tls().map(tls -> word(tls.policy())).orElse("off");
      case "scatter_memory_limit" -> (state.config().limits().scatterMemoryBytes() >> 10) + "kB";
      case "databases" -> state.config().databases().map(AdminTables::sorted).orElse("any");
      case "admin_users" -> sorted(state.config().adminUsers());
      case "users" -> String.valueOf(state.config().users().size());
      default -> text(value);
    };
  }

  private static String text(Object value) {
    if (value instanceof Optional<?> given) {
      return given.map(AdminTables::text).orElse("off");
    }
    return value instanceof Duration duration
        ? time(duration)
        : value instanceof Enum<?> constant ? word(constant) : value.toString();
  }

  private static String sorted(Set<String> names) {
    return String.join(" ", names.stream().sorted().toList());
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static String time(Duration duration) {
    if (duration.toNanosPart() % 1_000_000 != 0) {
      return duration.toNanos() / 1000 + "us";
    }
    return duration.toMillisPart() == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
  }
}
