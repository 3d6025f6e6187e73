package io.shardmark.proxy.admin;

import io.shardmark.config.BuildInfo;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.ShardConfig;
import io.shardmark.proxy.catalog.ShardStatus;
import io.shardmark.proxy.deadlock.DeadlockDetector;
import io.shardmark.proxy.deadlock.LockWait;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.metrics.ShardCounter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tables of the SHOW commands. */
final class AdminTables {
  private final ProxyState state;

  AdminTables(ProxyState state) {
    this.state = state;
  }

  TextTable pools() {
    ProxyMetrics metrics = state.metrics();
    TextTable.Builder table =
        TextTable.of(
            "shard pool_mode pool_size:int8 servers_active:int8 servers_idle:int8"
                + " servers_connecting:int8 clients_waiting:int8 waits:int8 wait_microseconds:int8"
                + " wait_timeouts:int8");
    ProxyConfig config = state.config();
    for (int index = 0; index < config.shards().size(); index++) {
      int shard = index;
      table.row(
          config.shards().get(shard).name(),
          word(config.pool().mode()),
          config.pool().size(),
          metrics.sum(loop -> loop.get(shard, ShardCounter.SERVERS_ACTIVE)),
          metrics.sum(loop -> loop.get(shard, ShardCounter.SERVERS_IDLE)),
          metrics.sum(loop -> loop.get(shard, ShardCounter.SERVERS_CONNECTING)),
          metrics.sum(loop -> loop.get(shard, ShardCounter.CLIENTS_WAITING)),
          metrics.sum(loop -> loop.get(shard, ShardCounter.POOL_WAITS)),
          metrics.sum(loop -> loop.get(shard, ShardCounter.POOL_WAIT_NANOS)) / 1000,
          metrics.sum(loop -> loop.get(shard, ShardCounter.POOL_TIMEOUTS)));
    }
    return table.build();
  }

  CompletionStage<TextTable> clients() {
    return state
        .clients()
        .thenApply(
            clients -> {
              TextTable.Builder table =
                  TextTable.of(
                      "id:int8 user database application_name address state shards"
                          + " age_seconds:int8");
              clients.forEach(
                  client ->
                      table.row(
                          client.id(),
                          client.user(),
                          client.database(),
                          client.applicationName(),
                          client.address(),
                          client.state(),
                          names(client.shards()),
                          TimeUnit.NANOSECONDS.toSeconds(client.ageNanos())));
              return table.build();
            });
  }

  private String names(List<Integer> shards) {
    return shards.stream().map(this::name).collect(Collectors.joining(" "));
  }

  private String name(int shard) {
    return state.config().shards().get(shard).name();
  }

  CompletionStage<TextTable> servers() {
    return state
        .servers()
        .thenApply(
            servers -> {
              TextTable.Builder table =
                  TextTable.of("shard server_process:int8 user state client:int8 age_seconds:int8");
              servers.forEach(
                  server ->
                      table.row(
                          server.shard(),
                          server.serverProcess(),
                          server.user(),
                          server.state(),
                          server.client().orElse(null),
                          server.ageSeconds()));
              return table.build();
            });
  }

  CompletionStage<TextTable> transactions() {
    return state
        .transactions()
        .thenApply(
            transactions -> {
              TextTable.Builder table =
                  TextTable.of("client:int8 gid shards state age_seconds:int8 detail");
              transactions.forEach(
                  one ->
                      table.row(
                          one.client().orElse(null),
                          one.gid(),
                          String.join(" ", one.shards()),
                          one.state(),
                          one.ageSeconds(),
                          one.detail()));
              return table.build();
            });
  }

  /** The processes' clients are those of this proxy; others' have none here. */
  CompletionStage<TextTable> locks() {
    // The clients are asked afterwards: who waits has come before.
    return state
        .locks()
        .thenCompose(locks -> state.servers().thenApply(servers -> locks(locks, servers)));
  }

  private TextTable locks(DeadlockDetector.Waits locks, List<ProxyState.ServerInfo> servers) {
    TextTable.Builder table =
        TextTable.of(
            "shard waiting_process:int8 waiting_client:int8 holding_process:int8"
                + " holding_client:int8 prepared lock waiting_milliseconds:int8 statement");
    for (LockWait wait : locks.waits()) {
      String shard = name(wait.shard());
      LockWait.Blocker holder = wait.blocker();
      table.row(
          shard,
          wait.processId(),
          client(servers, shard, wait.processId()),
          holder.processId(),
          client(servers, shard, holder.processId()),
          holder.preparedName(),
          wait.lock(),
          wait.waiting().toMillis(),
          wait.statement());
    }
    locks
        .unreachable()
        .forEach(
            (shard, why) ->
                table.row(shard, 0, null, 0, null, "", "shard cannot be asked: " + why, 0, ""));
    return table.build();
  }

  private static @Nullable Integer client(
      List<ProxyState.ServerInfo> servers, String shard, int process) {
    return servers.stream()
        .filter(server -> server.shard().equals(shard) && server.serverProcess() == process)
        .flatMap(server -> server.client().stream())
        .findFirst()
        .orElse(null);
  }

  TextTable shards() {
    TextTable.Builder table =
        TextTable.of("shard:int4 name host port:int4 database state detail since");
    List<ShardStatus> states = state.shards();
    for (int index = 0; index < states.size(); index++) {
      ShardConfig shard = state.config().shards().get(index);
      ShardStatus status = states.get(index);
      table.row(
          index,
          shard.name(),
          shard.host(),
          shard.port(),
          shard.database(),
          word(status.state()),
          status.detail(),
          status.since());
    }
    return table.build();
  }

  TextTable stats() {
    TextTable.Builder table = TextTable.of("name value:int8");
    table.row("uptime_seconds", state.uptimeNanos() / 1_000_000_000L);
    state.metrics().numbers().forEach(table::row);
    return table.build();
  }

  TextTable problems() {
    TextTable.Builder table = TextTable.of("problem");
    state.catalogProblems().forEach(table::row);
    return table.build();
  }

  TextTable shardMap() {
    return ShardMapTable.of(state.shardMap(), state.config());
  }

  static TextTable version() {
    BuildInfo build = BuildInfo.of(AdminTables.class);
    return TextTable.of("version commit")
        .row("Shardmark proxy " + build.version(), build.commit())
        .build();
  }

  /** The keys of the file with the values in force; no password. */
  TextTable config() {
    TextTable.Builder table = TextTable.of("key value").row("mode", state.mode());
    Map<String, Object> values = state.config().values();
    values.remove("shards"); // SHOW SHARDS
    values.forEach((key, value) -> table.row(key, shown(key, value)));
    return table.build();
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
