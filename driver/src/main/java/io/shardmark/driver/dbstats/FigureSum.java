package io.shardmark.driver.dbstats;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Adds up readings to the figures of an interval; the first is the base line. Pure; one thread. */
final class FigureSum {
  private final Map<String, Long> increases = new HashMap<>();
  private final Map<String, Long> greatest = new HashMap<>();
  private final Map<String, Long> firstSizes = new HashMap<>();
  private final Map<String, Long> lastSizes = new HashMap<>();

  void add(Map<String, Long> counterIncreases, Reading reading) {
    counterIncreases.forEach((name, value) -> increases.merge(name, value, Long::sum));
    reading.levels().forEach((name, value) -> greatest.merge(name, value, Math::max));
    reading.sizes().forEach(firstSizes::putIfAbsent);
    lastSizes.putAll(reading.sizes());
  }

  Map<String, Long> figures() {
    Map<String, Long> values = new TreeMap<>(increases);
    greatest.forEach((name, value) -> values.put(name + "_max", value));
    lastSizes.forEach(
        (name, value) -> {
          values.put(name, value);
          values.put(name + "_increase", value - firstSizes.getOrDefault(name, value));
        });
    return Collections.unmodifiableMap(values);
  }
}
