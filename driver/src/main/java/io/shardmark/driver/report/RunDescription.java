package io.shardmark.driver.report;

import io.shardmark.driver.report.RunData.Identity;
import io.shardmark.driver.report.RunData.Origin;
import io.shardmark.driver.report.RunData.Setup;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the small files of a directory say about its run, the best source first.
 *
 * @param ours whether Shardmark wrote the directory
 */
record RunDescription(
    Optional<SummaryFile> summary, RunPropertiesFile properties, RunInfoFile info, boolean ours) {
  /** Both multipliers at 1 are TPC-C's pacing; a little less still is. */
  private static final double FULL_PACING = 0.999;

  Identity identity() {
    String version = info.text("driverVersion");
    String product = ours || version.isEmpty() ? version : "BenchmarkSQL " + version;
    return new Identity(
        ours ? Origin.SHARDMARK : Origin.BENCHMARKSQL,
        either("/run/id", info.text("run")),
        either("/run/product", product),
        either("/run/sessionStart", info.text("sessionStart")),
        either("/run/sessionEnd", ""),
        either("/run/ending", ""));
  }

  private String either(String pointer, String other) {
    return summary.map(found -> found.text(pointer)).filter(t -> !t.isEmpty()).orElse(other);
  }

  Setup setup() {
    Map<String, Map<String, String>> surroundings = new LinkedHashMap<>();
    summary.ifPresent(
        found -> {
          surroundings.put("Workload", found.texts("/facts"));
          surroundings.put("Driver's machine", found.texts("/machine"));
          surroundings.put("Driver's Java", found.texts("/jvm"));
          surroundings.put("Database", found.texts("/database"));
        });
    Map<String, String> configuration = new LinkedHashMap<>();
    summary.ifPresent(
        found -> {
          configuration.putAll(found.texts("/configuration"));
          configuration.putAll(found.texts("/configuration/pacing"));
          found
              .texts("/configuration/mixPercent")
              .forEach((type, percent) -> configuration.put("mixPercent." + type, percent));
        });
    String database = info.text("db");
    return new Setup(
        either("/configuration/db", database.isEmpty() ? properties.text("db") : database),
        (int) either("/configuration/warehouses", info.number("runWarehouses")),
        (int) either("/configuration/terminals", info.number("numSUTThreads")),
        properties.maskedText(),
        properties.given(),
        configuration,
        surroundings,
        isPaced());
  }

  /** BenchmarkSQL 5 writes multipliers of 1 and has no pacing. */
  private boolean isPaced() {
    return ours
        && either("/configuration/pacing/keyingTimeMultiplier", info.number("keyingTimeMultiplier"))
            >= FULL_PACING
        && either("/configuration/pacing/thinkTimeMultiplier", info.number("thinkTimeMultiplier"))
            >= FULL_PACING;
  }

  private double either(String pointer, double other) {
    return summary.isPresent() ? summary.get().number(pointer) : other;
  }

  double plannedSeconds() {
    return either("/configuration/runSeconds", info.number("runMins") * 60);
  }

  double rampUpSeconds() {
    return either("/interval/rampUpSeconds", configuredRampUpSeconds());
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
