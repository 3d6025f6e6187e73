package io.shardmark.driver.run;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.RunConfig;
import io.shardmark.config.Stage;
import io.shardmark.config.TransactionMix;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.console.Banner;
import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.live.RunFacts;
import io.shardmark.driver.result.ResultDirectory;
import io.shardmark.driver.result.RunInfo;
import io.shardmark.sql.shards.Shard;
import io.shardmark.sql.shards.ShardMap;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What is said before a run starts: on the console in BenchmarkSQL's lines, and in {@code
 * runInfo.csv}.
 */
final class RunAnnouncement {
  private static final BigDecimal NANOS_PER_MINUTE = BigDecimal.valueOf(60_000_000_000L);
  private static final List<String> BENCHMARKSQL_KEYS =
      List.of(
          "db",
          "driver",
          "conn",
          "user",
          "warehouses",
          "terminals",
          "rampupDelay",
          "runTxnsPerTerminal",
          "runMins",
          "limitTxnsPerMin",
          "terminalWarehouseFixed",
          "useStoredProcedures",
          "newOrderWeight",
          "paymentWeight",
          "orderStatusWeight",
          "deliveryWeight",
          "stockLevelWeight",
          "resultDirectory",
          "osCollectorScript",
          "osCollectorInterval",
          "osCollectorSSHAddr",
          "osCollectorDevices");

  private final BenchmarkProperties properties;
  private final ConnectionConfig connection;
  private final RunConfig config;
  private final RunConsole console;

  RunAnnouncement(
      BenchmarkProperties properties,
      ConnectionConfig connection,
      RunConfig config,
      RunConsole console) {
    this.properties = properties;
    this.connection = connection;
    this.config = config;
    this.console = console;
  }

  void banner() {
    Map<String, String> shown = shownProperties(properties, connection);
    valuesInEffect().forEach(shown::putIfAbsent);
    Banner.lines(Product.NAME_AND_VERSION, shown, extensions()).forEach(console::info);
  }

  /** What counts where the file says nothing. */
  private Map<String, String> valuesInEffect() {
    TransactionMix mix = config.mix();
    return Map.of(
        "db", connection.database().propertyName(),
        "driver", connection.driverClass(),
        "user", connection.user(),
        "limitTxnsPerMin", Integer.toString(config.pacing().limitTxnsPerMin()),
        "terminalWarehouseFixed", Boolean.toString(config.fixedWarehouse()),
        "newOrderWeight", Double.toString(mix.newOrder()),
        "paymentWeight", Double.toString(mix.payment()),
        "orderStatusWeight", Double.toString(mix.orderStatus()),
        "deliveryWeight", Double.toString(mix.delivery()),
        "stockLevelWeight", Double.toString(mix.stockLevel()));
  }

  /** The keys of BenchmarkSQL as the file has them, without passwords. */
  static Map<String, String> shownProperties(
      BenchmarkProperties properties, ConnectionConfig connection) {
    Map<String, String> shown = new LinkedHashMap<>();
    for (String key : BENCHMARKSQL_KEYS) {
      properties.text(key).ifPresent(value -> shown.put(key, value));
    }
    shown.put("conn", connection.maskedUrl());
    return shown;
  }

  /** What a reader must know to compare this run with another, in effect whatever the file says. */
  private Map<String, String> extensions() {
    Map<String, String> extensions = new LinkedHashMap<>();
    extensions.put("statementProfile", config.statementProfile().propertyName());
    extensions.put("connections", Integer.toString(config.connections()));
    extensions.put("seed", Long.toString(config.seed()));
    if (!config.rampUp().isZero()) {
      extensions.put("rampupMins", properties.text("rampupMins").orElse(""));
    }
    if (config.pacing().isPaced()) {
      extensions.put(
          "keyingTimeMultiplier", Double.toString(config.pacing().keyingTimeMultiplier()));
      extensions.put("thinkTimeMultiplier", Double.toString(config.pacing().thinkTimeMultiplier()));
    }
    if (config.pacing().limitTxnsPerMin() > 0) {
      extensions.put("limitPacing", config.pacing().limitPacing().propertyName());
    }
    if (config.pacing().openLoopTxnsPerMin() > 0) {
      extensions.put("openLoopTxnsPerMin", Integer.toString(config.pacing().openLoopTxnsPerMin()));
    }
    if (!config.pacing().stages().isEmpty()) {
      extensions.put(
          "stages",
          config.pacing().stages().stream().map(Stage::toString).collect(Collectors.joining(", ")));
    }
    if (config.retries() > 0) {
      extensions.put("retries", Integer.toString(config.retries()));
    }
    return extensions;
  }

  void constants(Workload workload) {
    List<String> lines = workload.announcement();
    lines.forEach(console::info);
    if (!lines.isEmpty()) {
      console.info("");
    }
  }

  /** One line, if the database has shards. */
  void shards(Optional<ShardMap> map, Workload workload) {
    if (map.isEmpty()) {
      return;
    }
    Map<String, String> facts = workload.facts();
    String terminals = facts.get("terminalsOfShards");
    console.info(
        "Shards: %s; warehouses of each: %s%s"
            .formatted(
                map.get().shards().stream().map(Shard::name).collect(Collectors.joining(" ")),
                facts.get("warehousesOfShards"),
                terminals == null ? "" : "; terminals of each: " + terminals));
    console.info("");
  }

  /** What a live view knows of the run. */
  RunFacts liveFacts(int runId, ZonedDateTime start, Workload workload, Optional<ShardMap> shards) {
    boolean byTransactions = config.transactionsPerTerminal() > 0;
    return new RunFacts(
        runId,
        Product.NAME_AND_VERSION,
        workload.name(),
        workload.types(),
        connection.database().propertyName(),
        new RunFacts.Load(
            config.warehouses(),
            config.terminals(),
            config.connections(),
            config.statementProfile().propertyName()),
        start,
        new RunFacts.Plan(
            config.rampUp(),
            byTransactions ? Optional.empty() : Optional.of(config.runDuration()),
            (long) config.transactionsPerTerminal() * config.terminals()),
        workload.partitionCount() == 0
            ? List.of()
            : shards.map(ShardMap::shards).orElse(List.of()).stream().map(Shard::name).toList());
  }

  /** The value of the key {@code runMins}, to nine decimals. */
  private static BigDecimal minutes(Duration duration) {
    return BigDecimal.valueOf(duration.toNanos())
        .divide(NANOS_PER_MINUTE, 9, RoundingMode.HALF_EVEN);
  }

  void writeRunInfo(ResultDirectory directory, int runId, ZonedDateTime start, Workload workload)
      throws IOException {
    directory.writeRunInfo(
        new RunInfo(
            runId,
            Product.NAME_AND_VERSION,
            connection.database().propertyName(),
            start.toLocalDateTime(),
            minutes(config.runDuration()),
            Integer.parseInt(workload.facts().getOrDefault("loadWarehouses", "0")),
            config.warehouses(),
            config.terminals(),
            config.pacing().limitTxnsPerMin(),
            config.pacing().thinkTimeMultiplier(),
            config.pacing().keyingTimeMultiplier()));
    console.info("copied " + properties.source() + " to " + directory.root() + "/run.properties");
    console.info("created " + directory.data() + "/runInfo.csv for runID " + runId);
    console.info("writing per transaction results to " + directory.data() + "/result.csv");
  }
}
