package io.shardmark.driver.dbstats;

import java.util.LinkedHashMap;
import java.util.Map;

/** The server's figures at one moment, each kind by name in the order of the queries. */
record Reading(Map<String, Long> counters, Map<String, Long> levels, Map<String, Long> sizes) {

  static Reading empty() {
    return new Reading(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
  }

  Map<String, Long> of(FigureGroup.FigureKind kind) {
    return switch (kind) {
      case COUNTER -> counters;
      case LEVEL -> levels;
      case SIZE -> sizes;
    };
  }

  /**
   * How much each counter has grown. A counter that is smaller than before has started again at 0,
   * with the server.
   */
  Map<String, Long> increaseSince(Reading before) {
    Map<String, Long> increases = new LinkedHashMap<>();
    counters.forEach(
        (name, now) -> {
          Long then = before.counters.get(name);
          if (then != null) {
            increases.put(name, now >= then ? now - then : now);
          }
        });
    return increases;
  }
}
