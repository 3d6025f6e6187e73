package io.shardmark.driver.sweep;

import io.shardmark.driver.sweep.SweepRequest.SweepDatabase;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One run of a sweep.
 *
 * @param scale size of the data that the run uses; 0 leaves it to the properties file
 * @param openLoopTxnsPerMin key {@code openLoopTxnsPerMin}; 0 without
 * @param repetition from 1
 */
record Point(
    String database,
    PointKind kind,
    int terminals,
    int scale,
    int openLoopTxnsPerMin,
    int repetition) {
  /**
   * Of a share that is held: with more terminals than connections, one that waits for a slow answer
   * keeps no other one that is due from the connections that are free.
   */
  static final int TERMINALS_PER_CONNECTION_HELD = 4;

  enum PointKind {
    /** One of a series that was asked for. */
    SERIES,
    /** One step of a search. */
    PROBE,
    /** A share of the maximum that a search found, held. */
    HOLD
  }

  /** Where its files are, below the sweep's directory. */
  String directory() {
    String run =
        scale == 0
            ? "t%04d-r%d".formatted(terminals, repetition)
            : "w%04d-r%d".formatted(scale, repetition);
    return kind == PointKind.HOLD
        ? SweepDirectory.HOLD + "/" + database + "/" + run
        : database + "/" + run;
  }

  /** Keys and values that make a run of this point, over those of its database. */
  Map<String, String> keys(SweepDatabase ofPoint) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("terminals", Integer.toString(terminals));
    if (scale > 0) {
      keys.put(SearchGoal.SCALE.name(), Integer.toString(scale));
    }
    if (kind == PointKind.HOLD) {
      int most = Math.max(1, terminals / TERMINALS_PER_CONNECTION_HELD);
      int connections =
          ofPoint
              .properties()
              .text("connections")
              .map(text -> Math.min(most, Integer.parseInt(text)))
              .orElse(most);
      keys.put("openLoopTxnsPerMin", Integer.toString(openLoopTxnsPerMin));
      keys.put("connections", Integer.toString(connections));
      keys.put("keyingTimeMultiplier", "0");
      keys.put("thinkTimeMultiplier", "0");
    } else if (scale > 0 && !ofPoint.with(Map.of("terminals", "1")).run().pacing().isPaced()) {
      keys.put("keyingTimeMultiplier", "1");
      keys.put("thinkTimeMultiplier", "1");
    }
    return keys;
  }

  /** For lines on the console. */
  String label() {
    String label = database;
    if (scale > 0) {
      label += " " + SearchGoal.SCALE.name() + "=" + scale;
    }
    label += " terminals=" + terminals;
    if (openLoopTxnsPerMin > 0) {
      label += " openLoopTxnsPerMin=" + openLoopTxnsPerMin;
    }
    return label + " repetition=" + repetition;
  }
}
