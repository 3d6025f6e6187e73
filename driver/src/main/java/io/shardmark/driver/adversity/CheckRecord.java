package io.shardmark.driver.adversity;

import io.shardmark.driver.results.ViolatedCondition;
import java.util.List;

/**
 * A check of the conditions that was begun.
 *
 * @param fromSeconds when, from the start of the measurement interval
 * @param toSeconds when it ended; infinite if it did not, as one that the run's end broke off
 * @param failure why it could not be made; empty if it was
 * @param oneSnapshot whether it saw one
 */
record CheckRecord(
    double fromSeconds,
    double toSeconds,
    String failure,
    boolean oneSnapshot,
    List<ViolatedCondition> violations) {
  CheckRecord {
    violations = List.copyOf(violations);
  }

  /** One that has not ended. */
  static CheckRecord begun(double fromSeconds) {
    return new CheckRecord(fromSeconds, Double.POSITIVE_INFINITY, "", false, List.of());
  }

  boolean hasEnded() {
    return toSeconds < Double.POSITIVE_INFINITY;
  }

  /** Whether it read what it speaks of, if not all: another shard may not have answered. */
  boolean hasSeen() {
    return failure.isEmpty() || !violations.isEmpty();
  }

  /** Whether it found the data inconsistent beyond doubt. */
  boolean isViolation() {
    return oneSnapshot && !violations.isEmpty();
  }
}
