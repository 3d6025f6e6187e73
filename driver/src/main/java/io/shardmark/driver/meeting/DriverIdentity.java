package io.shardmark.driver.meeting;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a driver introduces itself.
 *
 * @param product name and version of its program
 * @param settings what must be alike in all drivers, as names and texts
 */
public record DriverIdentity(
    int index, String host, String product, Share share, Map<String, String> settings) {
  public DriverIdentity {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  /**
   * One driver's part of a run.
   *
   * @param from the first of its part of the scale
   */
  public record Share(int from, int to, int terminals) {}

  /** As messages call it. */
  String name() {
    return "driver %d (%s)".formatted(index, host);
  }
}
