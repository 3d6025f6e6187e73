package io.shardmark.driver.run;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.Key;
import io.shardmark.config.KeyUse;
import io.shardmark.config.PacingConfig;
import io.shardmark.config.PropertyKey;
import io.shardmark.config.RunConfig;
import io.shardmark.config.Stage;
import io.shardmark.driver.benchmark.BannerSettings;
import io.shardmark.driver.console.Banner;
import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.live.RunFacts;
import io.shardmark.driver.measure.ErrorLog;
import io.shardmark.driver.recorder.ResultDirectory;
import io.shardmark.driver.results.DatabaseTitle;
import io.shardmark.sql.shards.Shard;
import io.shardmark.sql.shards.ShardMap;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
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
  /** What helps where a pooler does not keep prepared statements. */
  static final String PREPARE_NOTHING = "add prepareThreshold=0 to the options of conn";

  private static final BigDecimal NANOS_PER_MINUTE = BigDecimal.valueOf(60_000_000_000L);
  private static final List<PropertyKey> BENCHMARKSQL_KEYS =
      Stream.of(PropertyKey.values())
          .filter(key -> !key.since().equals("Shardmark"))
          .filter(key -> key != PropertyKey.PASSWORD && !key.uses().equals(KeyUse.BY_LOADER))
          .toList();

  private final RunPlan plan;
  private final ConnectionConfig connection;
  private final RunConfig config;
  private final RunConsole console;

  RunAnnouncement(RunPlan plan, RunConsole console) {
    this.plan = plan;
    this.connection = plan.settings().connection();
    this.config = plan.config();
    this.console = console;
  }

  void banner() {
    Map<String, String> shown = shownProperties();
    // What counts where the file says nothing.
    shown.putIfAbsent("db", connection.database().propertyName());
    shown.putIfAbsent("driver", connection.driverClass());
    shown.putIfAbsent("user", connection.user());
    shown.putIfAbsent("limitTxnsPerMin", Integer.toString(config.pacing().limitTxnsPerMin()));
    BannerSettings own = plan.benchmark().banner(plan.settings());
    Banner.lines(Product.NAME_AND_VERSION, shown, own, extensions()).forEach(console::info);
  }

  /** The keys of BenchmarkSQL and of the benchmark as the file has them, without passwords. */
  Map<String, String> shownProperties() {
    Map<String, String> shown = new LinkedHashMap<>();
    Stream.of(BENCHMARKSQL_KEYS, plan.benchmark().keys())
        .flatMap(List::stream)
        .map(Key::key)
        .forEach(key -> plan.properties().text(key).ifPresent(value -> shown.put(key, value)));
    for (PropertyKey key : List.of(PropertyKey.SYSTEM_PRICE, PropertyKey.PRICE_PER_HOUR)) {
      plan.properties().text(key.key()).ifPresent(value -> shown.put(key.key(), value));
    }
    shown.put("conn", connection.maskedUrl());
    return shown;
  }

  /** What a reader must know to compare this run with another, in effect whatever the file says. */
  private Map<String, String> extensions() {
    Map<String, String> extensions = new LinkedHashMap<>();
    extensions.putAll(plan.benchmark().banner(plan.settings()).extensions());
    extensions.put("connections", Integer.toString(config.connections()));
    extensions.put("seed", Long.toString(config.seed()));
    if (!config.rampUp().isZero()) {
      extensions.put("rampupMins", plan.properties().text("rampupMins").orElse(""));
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

  void constants() {
    List<String> lines = plan.workload().announcement();
    lines.forEach(console::info);
    if (!lines.isEmpty()) {
      console.info("");
    }
  }

  /** One line, if the database has shards. */
  void shards(Optional<ShardMap> map, Map<String, String> facts) {
    if (map.isEmpty()) {
      return;
    }
    String placement = plan.workload().placement();
    console.info(
        "Shards of %s: %s%s"
            .formatted(
                DatabaseTitle.of(connection.database().propertyName(), facts),
                map.get().shards().stream().map(Shard::name).collect(Collectors.joining(" ")),
                placement.isEmpty() ? "" : "; " + placement));
    console.info("");
  }

  /** A new class of errors. */
  void error(ErrorLog.Notice notice) {
    ErrorLog.ErrorClass kind = notice.errorClass();
    console.error(
        "%s in %s%s: %s%s"
            .formatted(
                kind.disposition(),
                kind.type(),
                kind.sqlState().isEmpty() ? "" : ", SQLSTATE " + kind.sqlState(),
                notice.message() + advice(kind.sqlState()),
                notice.suppressed() == 0
                    ? ""
                    : " (" + notice.suppressed() + " other new kinds not shown)"));
  }

  /** Duplicate_prepared_statement and invalid_sql_statement_name are a transaction pooler's. */
  private static String advice(String sqlState) {
    return sqlState.equals("42P05") || sqlState.equals("26000") ? "; " + PREPARE_NOTHING : "";
  }

  /** What a live view knows of the run. */
  RunFacts liveFacts(ZonedDateTime start, Optional<ShardMap> shards, Map<String, String> facts) {
    boolean byTransactions = config.transactionsPerTerminal() > 0;
    return new RunFacts(
        plan.runId(),
        Product.NAME_AND_VERSION,
        plan.benchmark().title(),
        plan.workload().types(),
        plan.workload().metrics(),
        DatabaseTitle.of(connection.database().propertyName(), facts),
        plan.settings().scale(),
        config.terminals(),
        config.connections(),
        String.valueOf(config.own().getOrDefault("statementProfile", "")),
        start,
        config.rampUp(),
        byTransactions ? Optional.empty() : Optional.of(config.runDuration()),
        (long) config.transactionsPerTerminal() * config.terminals(),
        plan.workload().partitionCount() == 0
            ? List.of()
            : shards.map(ShardMap::shards).orElse(List.of()).stream().map(Shard::name).toList());
  }

  /** The one row of {@code data/runInfo.csv}, in BenchmarkSQL's columns. */
  private String runInfo(ZonedDateTime start) {
    PacingConfig pacing = config.pacing();
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("run", plan.runId());
    row.put("driver", "simple");
    row.put("driverVersion", Product.NAME_AND_VERSION);
    row.put("db", connection.database().propertyName());
    // Local time, in Timestamp's text form: 1 to 3 decimals, no T.
    row.put(
        "sessionStart", Timestamp.valueOf(start.toLocalDateTime().truncatedTo(ChronoUnit.MILLIS)));
    row.put("runMins", minutes(config.runDuration()));
    row.put("loadWarehouses", plan.workload().facts().getOrDefault("loadWarehouses", "0"));
    row.put("runWarehouses", plan.settings().scale().size());
    row.put("numSUTThreads", config.terminals());
    row.put("limitTxnsPerMin", pacing.limitTxnsPerMin());
    // BenchmarkSQL always writes 1.0.
    row.put("thinkTimeMultiplier", pacing.thinkTimeMultiplier());
    row.put("keyingTimeMultiplier", pacing.keyingTimeMultiplier());
    return String.join(",", row.keySet())
        + "\n"
        + row.values().stream().map(Object::toString).collect(Collectors.joining(","))
        + "\n";
  }

  /** BenchmarkSQL's R scripts divide by it: no exponent, and no decimals they do not know. */
  private static String minutes(Duration duration) {
    return BigDecimal.valueOf(duration.toNanos())
        .divide(NANOS_PER_MINUTE, 9, RoundingMode.HALF_EVEN)
        .stripTrailingZeros()
        .toPlainString();
  }

  void writeRunInfo(ResultDirectory directory, ZonedDateTime start) throws IOException {
    directory.write("data/runInfo.csv", runInfo(start));
    console.info(
        "copied " + plan.properties().source() + " to " + directory.root() + "/run.properties");
    console.info("created " + directory.data() + "/runInfo.csv for runID " + plan.runId());
    console.info("writing per transaction results to " + directory.data() + "/result.csv");
  }
}
