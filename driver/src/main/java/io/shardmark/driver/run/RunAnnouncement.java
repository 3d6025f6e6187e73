package io.shardmark.driver.run;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.Key;
import io.shardmark.config.KeyUse;
import io.shardmark.config.PropertyKey;
import io.shardmark.config.RunConfig;
import io.shardmark.config.Stage;
import io.shardmark.driver.benchmark.BannerSettings;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.benchmark.Settings;
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
import java.util.stream.Stream;

/**
 * What is said before a run starts: on the console in BenchmarkSQL's lines, and in {@code
 * runInfo.csv}.
 */
final class RunAnnouncement {
  private static final BigDecimal NANOS_PER_MINUTE = BigDecimal.valueOf(60_000_000_000L);
  private static final List<PropertyKey> BENCHMARKSQL_KEYS =
      Stream.of(PropertyKey.values())
          .filter(key -> !key.since().equals("Shardmark"))
          .filter(key -> key != PropertyKey.PASSWORD && !key.uses().equals(KeyUse.BY_LOADER))
          .toList();

  private final BenchmarkProperties properties;
  private final Benchmark benchmark;
  private final Settings settings;
  private final ConnectionConfig connection;
  private final RunConfig config;
  private final RunConsole console;

  RunAnnouncement(
      BenchmarkProperties properties, Benchmark benchmark, Settings settings, RunConsole console) {
    this.properties = properties;
    this.benchmark = benchmark;
    this.settings = settings;
    this.connection = settings.connection();
    this.config = settings.run();
    this.console = console;
  }

  void banner() {
    Map<String, String> shown = shownProperties();
    // What counts where the file says nothing.
    shown.putIfAbsent("db", connection.database().propertyName());
    shown.putIfAbsent("driver", connection.driverClass());
    shown.putIfAbsent("user", connection.user());
    shown.putIfAbsent("limitTxnsPerMin", Integer.toString(config.pacing().limitTxnsPerMin()));
    BannerSettings own = benchmark.banner(settings);
    Banner.lines(Product.NAME_AND_VERSION, shown, own, extensions()).forEach(console::info);
  }

  /** The keys of BenchmarkSQL and of the benchmark as the file has them, without passwords. */
  Map<String, String> shownProperties() {
    Map<String, String> shown = new LinkedHashMap<>();
    Stream.of(BENCHMARKSQL_KEYS, benchmark.keys())
        .flatMap(List::stream)
        .map(Key::key)
        .forEach(key -> properties.text(key).ifPresent(value -> shown.put(key, value)));
    shown.put("conn", connection.maskedUrl());
    return shown;
  }

  /** What a reader must know to compare this run with another, in effect whatever the file says. */
  private Map<String, String> extensions() {
    Map<String, String> extensions = new LinkedHashMap<>();
    extensions.putAll(benchmark.banner(settings).extensions());
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
    String placement = workload.placement();
    console.info(
        "Shards: %s%s"
            .formatted(
                map.get().shards().stream().map(Shard::name).collect(Collectors.joining(" ")),
                placement.isEmpty() ? "" : "; " + placement));
    console.info("");
  }

  /** What a live view knows of the run. */
  RunFacts liveFacts(int runId, ZonedDateTime start, Workload workload, Optional<ShardMap> shards) {
    boolean byTransactions = config.transactionsPerTerminal() > 0;
    return new RunFacts(
        runId,
        Product.NAME_AND_VERSION,
        benchmark.title(),
        workload.types(),
        workload.metrics(),
        connection.database().propertyName(),
        new RunFacts.Load(
            settings.scale(),
            config.terminals(),
            config.connections(),
            String.valueOf(config.own().getOrDefault("statementProfile", ""))),
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
            settings.scale().size(),
            config.terminals(),
            config.pacing().limitTxnsPerMin(),
            config.pacing().thinkTimeMultiplier(),
            config.pacing().keyingTimeMultiplier()));
    console.info("copied " + properties.source() + " to " + directory.root() + "/run.properties");
    console.info("created " + directory.data() + "/runInfo.csv for runID " + runId);
    console.info("writing per transaction results to " + directory.data() + "/result.csv");
  }
}
