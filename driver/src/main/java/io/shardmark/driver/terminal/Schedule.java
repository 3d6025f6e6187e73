package io.shardmark.driver.terminal;

import io.shardmark.config.Stage;
import java.time.Duration;
import java.util.List;

/**
 * The places of one terminal on a schedule that no answer moves: so many for each nanosecond, in
 * stretches one after the other. Immutable. Instants are of {@link System#nanoTime()}.
 */
final class Schedule {
  private static final long ENDLESS = Long.MAX_VALUE / 2;

  /** There is no schedule: nothing is asked for. */
  static final Schedule NONE = new Schedule(new long[] {ENDLESS}, new double[] {0});

  private static final double NANOS_PER_MINUTE = 60e9;

  /** What is lost in sums of fractions. */
  private static final double TOLERANCE = 1e-7;

  /** About 73 years: no place is left. */
  private static final long NEVER_NANOS = Long.MAX_VALUE / 4;

  /** Where each stretch ends, from the start of the session; the last never does. */
  private final long[] ends;

  private final double[] placesPerNano;

  private Schedule(long[] ends, double[] placesPerNano) {
    this.ends = ends;
    this.placesPerNano = placesPerNano;
  }

  /** A place each time so many nanoseconds have passed. */
  static Schedule every(long nanos) {
    return new Schedule(new long[] {ENDLESS}, new double[] {1.0 / nanos});
  }

  /**
   * The first stage's rate holds in the ramp-up too; after the last one nothing is due.
   *
   * @param terminals that share the rates
   */
  static Schedule of(List<Stage> stages, Duration rampUp, int terminals) {
    long[] ends = new long[stages.size() + 1];
    double[] places = new double[stages.size() + 1];
    long end = rampUp.toNanos();
    for (int stage = 0; stage < stages.size(); stage++) {
      end += stages.get(stage).length().toNanos();
      ends[stage] = end;
      places[stage] = stages.get(stage).txnsPerMin() / NANOS_PER_MINUTE / terminals;
    }
    ends[stages.size()] = ENDLESS;
    return new Schedule(ends, places);
  }

  /** False if there is none. */
  boolean exists() {
    return this != NONE;
  }

  /**
   * When so many further places have passed.
   *
   * @param sessionStart when the terminals started
   */
  long after(long nanos, double places, long sessionStart) {
    long at = nanos - sessionStart;
    double left = places;
    for (int stretch = 0; stretch < ends.length; stretch++) {
      double inStretch = at < ends[stretch] ? places(stretch, at, ends[stretch]) : 0;
      if (left <= inStretch - TOLERANCE && placesPerNano[stretch] > 0) {
        return sessionStart + at + Math.round(left / placesPerNano[stretch]);
      }
      left = Math.max(0, left - inStretch);
      at = Math.max(at, ends[stretch]);
    }
    return sessionStart + NEVER_NANOS;
  }

  /** How many places there are from one that is due then, which counts, to an instant. */
  long from(long dueNanos, long beforeNanos, long sessionStart) {
    double places = 0;
    long at = dueNanos - sessionStart;
    long before = beforeNanos - sessionStart;
    for (int stretch = 0; stretch < ends.length && at < before; stretch++) {
      long until = Math.min(ends[stretch], before);
      if (at < until) {
        places += places(stretch, at, until);
        at = until;
      }
    }
    return (long) Math.ceil(places - TOLERANCE);
  }

  private double places(int stretch, long from, long until) {
    return (double) (until - from) * placesPerNano[stretch];
  }
}
