package io.shardmark.driver.report.compare;

import io.shardmark.driver.report.RunData;
import io.shardmark.driver.report.RunData.Origin;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * What a run was told, under the names that {@code summary.json} has in {@code configuration},
 * whichever program wrote the directory.
 *
 * @param effective the settings that decide whether runs can be compared
 * @param all everything that is known, for the list of differences: properties, what was in effect,
 *     facts of machine, JVM and database
 */
record RunSettings(Map<String, String> effective, Map<String, String> all) {
  static RunSettings of(RunData run) {
    Map<String, String> properties = properties(run);
    Map<String, String> effective = new LinkedHashMap<>(run.setup().configuration());
    if (effective.isEmpty()) {
      fill(effective, properties, run.identity().origin());
    }
    effective.putIfAbsent(
        "rampupSeconds", String.valueOf(Math.round(run.interval().rampUpSeconds())));
    Map<String, String> all = new LinkedHashMap<>(properties);
    effective.forEach(all::putIfAbsent);
    run.setup()
        .surroundings()
        .forEach((part, facts) -> facts.forEach((name, text) -> all.put(part + ": " + name, text)));
    return new RunSettings(effective, all);
  }

  /** The same for figures that others published, as far as they tell. */
  static RunSettings of(Map<String, String> stated, Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(stated);
    all.putAll(more);
    return new RunSettings(stated, all);
  }

  private static Map<String, String> properties(RunData run) {
    Properties values = new Properties();
    try {
      values.load(new StringReader(run.setup().propertiesText()));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a string can always be read
    } catch (IllegalArgumentException e) {
      return Map.of(); // a broken escape: the run's page shows the text as it is
    }
    Map<String, String> texts = new TreeMap<>();
    values.stringPropertyNames().forEach(key -> texts.put(key, values.getProperty(key).strip()));
    return texts;
  }

  /** A run without {@code summary.json}: of BenchmarkSQL, or of ours that was killed. */
  private static void fill(
      Map<String, String> effective, Map<String, String> properties, Origin origin) {
    if (properties.isEmpty()) {
      return;
    }
    boolean benchmarkSql = origin == Origin.BENCHMARKSQL;
    effective.put("conn", properties.getOrDefault("conn", ""));
    // The keys that BenchmarkSQL has not are what it does whatever the file says.
    addOurs(effective, properties, benchmarkSql, "statementProfile", "benchmarksql");
    addOurs(effective, properties, benchmarkSql, "keyingTimeMultiplier", "0");
    addOurs(effective, properties, benchmarkSql, "thinkTimeMultiplier", "0");
    addOurs(effective, properties, benchmarkSql, "newOrderRemotePercent", "1");
    addOurs(effective, properties, benchmarkSql, "paymentRemotePercent", "15");
    addOurs(effective, properties, benchmarkSql, "openLoopTxnsPerMin", "0");
    addOurs(effective, properties, benchmarkSql, "connections", "terminals");
    effective.put("limitTxnsPerMin", properties.getOrDefault("limitTxnsPerMin", "0"));
    effective.put(
        "terminalWarehouseFixed", properties.getOrDefault("terminalWarehouseFixed", "true"));
    effective.put("terminals", properties.getOrDefault("terminals", ""));
    for (String type : RunConditions.MIX) {
      effective.put("mixPercent." + type, properties.getOrDefault(type + "Weight", ""));
    }
  }

  private static void addOurs(
      Map<String, String> effective,
      Map<String, String> properties,
      boolean benchmarkSql,
      String key,
      String preset) {
    effective.put(key, benchmarkSql ? preset : properties.getOrDefault(key, preset));
  }
}
