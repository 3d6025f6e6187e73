package io.shardmark.driver.sweep;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * One run of a sweep.
 *
 * @param database name of the database
 * @param kind what it is for
 * @param terminals key {@code terminals}
 * @param scale size of the data that the run uses; 0 leaves it to the properties file
 * @param openLoopTxnsPerMin key {@code openLoopTxnsPerMin}; 0 without
 * @param repetition from 1
 */
record Point(
    String database, Kind kind, int terminals, int scale, int openLoopTxnsPerMin, int repetition) {

  enum Kind {
    /** One of a series that was asked for. */
    SERIES,
    /** One step of a search. */
    PROBE,
    /** A share of the maximum that a search found, held. */
    HOLD
  }

  /** Where its files are, below the sweep's directory. */
  @JsonIgnore
  String directory() {
    String run =
        scale == 0
            ? "t%04d-r%d".formatted(terminals, repetition)
            : "w%04d-r%d".formatted(scale, repetition);
    return kind == Kind.HOLD
        ? SweepDirectory.HOLD + "/" + database + "/" + run
        : database + "/" + run;
  }

  /** For lines on the console. */
  @JsonIgnore
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
