package io.shardmark.driver.report;

import io.shardmark.driver.report.RunData.Identity;
import io.shardmark.driver.report.RunData.Origin;
import io.shardmark.driver.report.RunData.Setup;
import io.shardmark.driver.results.Configuration;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.Session;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What the small files of a directory say about its run, the best source first.
 *
 * @param ours whether Shardmark wrote the directory
 */
record RunDescription(
    Optional<RunResult> summary, RunPropertiesFile properties, RunInfoFile info, boolean ours) {
  /** Both multipliers at 1 are TPC-C's pacing; a little less still is. */
  private static final double FULL_PACING = 0.999;

  Identity identity() {
    Optional<Session> session = summary.map(RunResult::run);
    String version = info.text("driverVersion");
    String product = ours || version.isEmpty() ? version : "BenchmarkSQL " + version;
    return new Identity(
        ours ? Origin.SHARDMARK : Origin.BENCHMARKSQL,
        session.map(known -> Integer.toString(known.id())).orElse(info.text("run")),
        session.map(Session::product).orElse(product),
        session.map(Session::sessionStart).orElse(info.text("sessionStart")),
        session.map(Session::sessionEnd).orElse(""),
        session.map(known -> known.ending().jsonName()).orElse(""));
  }

  private Optional<Configuration> told() {
    return summary.map(RunResult::configuration);
  }

  private double told(ToDoubleFunction<Configuration> value, double other) {
    return told().map(value::applyAsDouble).orElse(other);
  }

  Setup setup() {
    Map<String, Map<String, String>> surroundings = new LinkedHashMap<>();
    summary.ifPresent(
        found -> {
          surroundings.put("Workload", found.facts());
          surroundings.put("Driver's machine", found.machine());
          surroundings.put("Driver's Java", found.jvm());
          surroundings.put("Database", found.database());
        });
    String database = info.text("db");
    return new Setup(
        told()
            .map(told -> told.text("db"))
            .orElse(database.isEmpty() ? properties.text("db") : database),
        summary.map(found -> found.scale().number()).orElse((int) info.number("runWarehouses")),
        (int) told(told -> told.number("terminals"), info.number("numSUTThreads")),
        properties.maskedText(),
        properties.given(),
        told().map(Configuration::texts).orElse(Map.of()),
        surroundings,
        isPaced());
  }

  /** BenchmarkSQL 5 writes multipliers of 1 and has no pacing. */
  private boolean isPaced() {
    return ours && isFull("keyingTimeMultiplier") && isFull("thinkTimeMultiplier");
  }

  private boolean isFull(String multiplier) {
    return told(told -> told.number("pacing", multiplier), info.number(multiplier)) >= FULL_PACING;
  }

  double plannedSeconds() {
    return told(told -> told.number("runSeconds"), info.number("runMins") * 60);
  }

  double rampUpSeconds() {
    return summary
        .map(found -> found.interval().rampUpSeconds())
        .orElseGet(this::configuredRampUpSeconds);
  }

  private double configuredRampUpSeconds() {
    try {
      return ours ? Math.max(0, Double.parseDouble(properties.text("rampupMins")) * 60) : 0;
    } catch (NumberFormatException e) {
      return 0; // the key is not there
    }
  }

  /** Whether the run was told to write each transaction. */
  boolean wantsAllRows() {
    String rows = properties.text("resultRows");
    return rows.isEmpty() || rows.equalsIgnoreCase("all");
  }
}
