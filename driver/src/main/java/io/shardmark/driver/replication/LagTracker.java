package io.shardmark.driver.replication;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How far a standby is behind: in bytes of the log, and in the time since the primary had first
 * written something that the standby has not applied. Pure; to the time between two looks.
 */
final class LagTracker {
  private final Deque<Point> notApplied = new ArrayDeque<>();
  private long looks;
  private long sumNanos;
  private long maxNanos;
  private long maxBytes;

  /** The primary's log ended there. */
  private record Point(long nanos, long position) {}

  /**
   * @param nanos time behind; 0 if the standby has all
   */
  record Lag(long bytes, long nanos) {}

  /**
   * @param primary the end of the primary's log
   * @param standby the end of what the standby has applied of it, asked just before
   */
  Lag look(long nanos, long primary, long standby) {
    while (!notApplied.isEmpty() && notApplied.element().position() <= standby) {
      notApplied.remove();
    }
    if (primary > standby && (notApplied.isEmpty() || notApplied.getLast().position() < primary)) {
      notApplied.add(new Point(nanos, primary));
    }
    Lag lag =
        new Lag(
            Math.max(0, primary - standby),
            notApplied.isEmpty() ? 0 : nanos - notApplied.element().nanos());
    looks++;
    sumNanos += lag.nanos();
    maxNanos = Math.max(maxNanos, lag.nanos());
    maxBytes = Math.max(maxBytes, lag.bytes());
    return lag;
  }

  /** Mean and greatest count from here. */
  void restart() {
    looks = 0;
    sumNanos = 0;
    maxNanos = 0;
    maxBytes = 0;
  }

  boolean hasLooked() {
    return looks > 0;
  }

  double meanMillis() {
    return looks == 0 ? 0 : sumNanos / 1e6 / looks;
  }

  double maxMillis() {
    return maxNanos / 1e6;
  }

  long maxBytes() {
    return maxBytes;
  }
}
