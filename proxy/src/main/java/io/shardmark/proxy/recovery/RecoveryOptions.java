package io.shardmark.proxy.recovery;

import java.time.Duration;

/**
 * Times of recovery.
 *
 * @param interval between two runs
 * @param grace how old a prepared transaction of another proxy must be, as long as that proxy shows
 *     itself: not needed for safety, but recovering one whose coordinator is about to decide makes
 *     that one fail
 * @param askLimit how long a session waits to learn the outcome of its lost COMMIT
 * @param lockLimit how long an insert waits for a coordinator's COMMIT in flight
 * @param keepDecisions age from which decisions are deleted; must be well over {@code askLimit}
 */
public record RecoveryOptions(
    Duration interval,
    Duration grace,
    Duration askLimit,
    Duration lockLimit,
    Duration keepDecisions) {

  private static final Duration LONGEST_GRACE = Duration.ofSeconds(10);

  /** For a proxy that does not show itself: it may have lost that connection, and makes another. */
  private static final Duration UNSEEN_GRACE = Duration.ofMillis(500);

  private static final Duration ASK_LIMIT = Duration.ofSeconds(15);
  private static final Duration LOCK_LIMIT = Duration.ofSeconds(5);
  private static final Duration KEEP_DECISIONS = Duration.ofMinutes(10);

  /** The defaults with that interval, which is the grace too unless it is long. */
  public static RecoveryOptions every(Duration interval) {
    Duration grace = interval.compareTo(LONGEST_GRACE) < 0 ? interval : LONGEST_GRACE;
    return new RecoveryOptions(interval, grace, ASK_LIMIT, LOCK_LIMIT, KEEP_DECISIONS);
  }

  /**
   * How old a prepared transaction of another proxy must be.
   *
   * @param living whether that proxy shows itself on any shard
   */
  Duration grace(boolean living) {
    return living || grace.compareTo(UNSEEN_GRACE) < 0 ? grace : UNSEEN_GRACE;
  }
}
