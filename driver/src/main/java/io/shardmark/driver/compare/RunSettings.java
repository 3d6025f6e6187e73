package io.shardmark.driver.compare;

import io.shardmark.driver.results.reader.RunData;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The settings of a run, under the names that {@code summary.json} has in {@code configuration},
 * whichever program wrote the directory.
 *
 * @param effective the settings that decide whether runs can be compared
 * @param all everything that is known, for the list of differences: properties, what was in effect,
 *     facts of machine, JVM and database
 */
record RunSettings(Map<String, String> effective, Map<String, String> all) {
  static RunSettings of(RunData run) {
    Map<String, String> properties = properties(run);
    Map<String, String> effective = new LinkedHashMap<>(run.result().configuration().texts());
    effective.putIfAbsent(
        "rampupSeconds", String.valueOf(Math.round(run.result().interval().rampUpSeconds())));
    Map<String, String> all = new LinkedHashMap<>(properties);
    effective.forEach(all::putIfAbsent);
    put(all, "Workload", run.result().facts());
    put(all, "Driver's machine", run.result().machine());
    put(all, "Driver's Java", run.result().jvm());
    put(all, "Database", run.result().database());
    return new RunSettings(effective, all);
  }

  private static void put(Map<String, String> all, String part, Map<String, String> facts) {
    facts.forEach((name, text) -> all.put(part + ": " + name, text));
  }

  /** The same for figures that others published, as far as they tell. */
  static RunSettings of(Map<String, String> stated, Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(stated);
    all.putAll(more);
    return new RunSettings(stated, all);
  }

  private static Map<String, String> properties(RunData run) {
    Properties values = run.properties().values();
    Map<String, String> texts = new TreeMap<>();
    values.stringPropertyNames().forEach(key -> texts.put(key, values.getProperty(key).strip()));
    return texts;
  }
}
