package io.shardmark.driver.results.reader;

import io.shardmark.driver.results.Configuration;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.Latencies;
import io.shardmark.driver.results.MeasuredInterval;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.ResultDraft;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunScale;
import io.shardmark.driver.results.Session;
import io.shardmark.driver.results.TypeResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What the small files of a directory without {@code summary.json} say, as the model of those that
 * have one: BenchmarkSQL's, and Shardmark's of a run that was killed. They are of TPC-C.
 *
 * @param info the row of {@code runInfo.csv} by its columns; empty if there is none
 * @param byShardmark whether Shardmark wrote the directory
 */
record BenchmarkSqlResult(
    Map<String, String> info, RunPropertiesFile properties, boolean byShardmark) {
  static final String PROGRAM = "BenchmarkSQL";

  /** In the order of BenchmarkSQL's table: its files say no more of a type than its name. */
  private static final List<BenchmarkSqlRule> TYPES =
      List.of(
          new BenchmarkSqlRule("NEW_ORDER", true, true, 5_000),
          new BenchmarkSqlRule("PAYMENT", false, true, 5_000),
          new BenchmarkSqlRule("ORDER_STATUS", false, true, 5_000),
          new BenchmarkSqlRule("STOCK_LEVEL", false, true, 20_000),
          new BenchmarkSqlRule("DELIVERY", false, true, 5_000),
          new BenchmarkSqlRule("DELIVERY_BG", false, false, 80_000));

  /** Keys that BenchmarkSQL has not, with what it does whatever its file says. */
  private static final Map<String, String> PRESETS =
      Collections.unmodifiableMap(
          new TreeMap<>(
              Map.of(
                  "statementProfile", "benchmarksql",
                  "newOrderRemotePercent", "1",
                  "paymentRemotePercent", "15",
                  "connections", "terminals")));

  private static final double MOST = 1e9;

  private record BenchmarkSqlRule(
      String name, boolean headline, boolean counted, double limitMillis) {}

  static Map<String, String> readInfo(Path file, List<String> missing) throws IOException {
    try (CsvRows csv = CsvRows.open(file)) {
      Map<String, String> values = new LinkedHashMap<>();
      if (!csv.next()) {
        missing.add("data/runInfo.csv has no row.");
        return values;
      }
      for (int i = 0; i < csv.header().size(); i++) {
        values.put(csv.header().get(i), csv.fields().get(i));
      }
      return values;
    }
  }

  static List<String> typeNames() {
    return TYPES.stream().map(BenchmarkSqlRule::name).toList();
  }

  private static BenchmarkSqlRule rule(String name) {
    return TYPES.stream()
        .filter(rule -> rule.name().equals(name))
        .findFirst()
        .orElse(new BenchmarkSqlRule(name, false, true, 0));
  }

  static boolean isCounted(String name) {
    return rule(name).counted();
  }

  /** What a type did, as far as rows and sums of seconds say. */
  private static TypeResult type(String name, TypeData.TypeCounts counts, long ofAll) {
    BenchmarkSqlRule rule = rule(name);
    return new TypeResult(
        name,
        rule.headline(),
        rule.counted(),
        counts.all(),
        counts.successes() - counts.rolledBack(),
        counts.rolledBack(),
        counts.errors(),
        rule.counted() && ofAll > 0 ? 100.0 * counts.all() / ofAll : null,
        counts.retries(),
        0,
        counts.skipped(),
        0,
        rule.limitMillis(),
        null,
        Map.of(),
        Latencies.NONE);
  }

  /**
   * The result of the run.
   *
   * @param seconds that its files cover
   * @param counts of each type by its name
   * @param errors by class
   */
  RunResult result(
      double seconds, Map<String, TypeData.TypeCounts> counts, List<ErrorResult> errors) {
    long ofAll = 0;
    for (Map.Entry<String, TypeData.TypeCounts> of : counts.entrySet()) {
      ofAll += isCounted(of.getKey()) ? of.getValue().all() : 0;
    }
    List<TypeResult> types = new ArrayList<>();
    for (Map.Entry<String, TypeData.TypeCounts> of : counts.entrySet()) {
      types.add(type(of.getKey(), of.getValue(), ofAll));
    }
    ResultDraft read = new ResultDraft();
    read.schemaVersion = 0;
    read.run = session();
    read.scale = new RunScale("warehouses", (int) number(text("runWarehouses")));
    read.configuration = configuration();
    read.interval = new MeasuredInterval(rampUpSeconds(), seconds, 0, null);
    read.metrics =
        List.of(
            rate("tpmC", seconds, types, TypeResult::headline),
            rate("tpmTotal", seconds, types, TypeResult::counted));
    read.types = types;
    read.errors = errors;
    return read.result();
  }

  private static Metric rate(
      String name, double seconds, List<TypeResult> types, Predicate<TypeResult> counts) {
    List<TypeResult> those = types.stream().filter(counts).toList();
    return Metric.perMinute(
        name,
        MeasuredInterval.perMinute(those.stream().mapToLong(TypeResult::successes).sum(), seconds),
        those);
  }

  private Session session() {
    String version = text("driverVersion");
    String named = properties.text("workload");
    return new Session(
        (int) number(text("run")),
        byShardmark || version.isEmpty() ? version : PROGRAM + " " + version,
        named.isEmpty() || named.equalsIgnoreCase("tpcc") ? RunData.TPCC : named,
        text("sessionStart"),
        "",
        Ending.UNKNOWN);
  }

  private Configuration configuration() {
    Map<String, Object> values = new LinkedHashMap<>();
    Map<String, Object> pacing = new LinkedHashMap<>();
    values.put("db", text("db").isEmpty() ? properties.text("db") : text("db"));
    if (number(text("numSUTThreads")) > 0) {
      values.put("terminals", (int) number(text("numSUTThreads")));
    }
    if (plannedSeconds() > 0) {
      values.put("runSeconds", plannedSeconds());
    }
    for (String multiplier : List.of("keyingTimeMultiplier", "thinkTimeMultiplier")) {
      // BenchmarkSQL 5 writes 1 and has no pacing.
      pacing.put(multiplier, byShardmark ? number(text(multiplier)) : 0);
    }
    if (!properties.values().isEmpty()) {
      values.put("conn", properties.text("conn"));
      PRESETS.forEach(
          (key, preset) -> values.put(key, byShardmark ? properties.text(key, preset) : preset));
      values.put("terminalWarehouseFixed", properties.text("terminalWarehouseFixed", "true"));
      pacing.put("limitTxnsPerMin", properties.text("limitTxnsPerMin", "0"));
      pacing.put(
          "openLoopTxnsPerMin", byShardmark ? properties.text("openLoopTxnsPerMin", "0") : "0");
      Map<String, String> mix = new LinkedHashMap<>();
      RunData.TPCC_MIX.forEach(type -> mix.put(type, properties.text(type + "Weight")));
      values.put("mixPercent", mix);
    }
    values.put("pacing", pacing);
    return new Configuration(values);
  }

  private double rampUpSeconds() {
    return byShardmark ? Math.max(0, number(properties.text("rampupMins"))) * 60 : 0;
  }

  double plannedSeconds() {
    return number(text("runMins")) * 60;
  }

  private String text(String column) {
    return info.getOrDefault(column, "");
  }

  /** 0 if it is not there, or no number that a run can have. */
  private static double number(String text) {
    try {
      double value = Double.parseDouble(text);
      return Math.abs(value) <= MOST ? value : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
