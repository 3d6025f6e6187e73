package io.shardmark.driver.results;

import java.util.List;

/**
 * What the run's sessions did at the server, sampled in the measurement interval.
 *
 * @param samples how often they were looked at
 * @param coveredSeconds how much of the interval the samples cover
 * @param sampleMillis mean time that a sample took
 * @param missing why there are none, or not all; empty if there are
 * @param activities what they did, the most frequent first
 * @param lockedTables on whose rows they waited for a lock, the most frequent first
 */
public record ServerWaits(
    long samples,
    double coveredSeconds,
    double sampleMillis,
    String missing,
    List<Activity> activities,
    List<LockedTable> lockedTables) {
  /** Type of sessions that execute a statement and wait for nothing that the server names. */
  public static final String RUNNING = "running";

  /** Type of sessions in a transaction, between two statements. */
  public static final String IDLE_IN_TRANSACTION = "idle in transaction";

  /** Type of sessions between two transactions. */
  public static final String IDLE = "idle";

  public ServerWaits {
    activities = List.copyOf(activities);
    lockedTables = List.copyOf(lockedTables);
  }

  /** There are no samples, and this is why. */
  public static ServerWaits none(String why) {
    return new ServerWaits(0, 0, 0, why, List.of(), List.of());
  }

  /**
   * @param type the server's {@code wait_event_type}, or one of the constants
   * @param event the server's {@code wait_event}; may be empty
   * @param sessions how many did it at a time, in the mean
   */
  public record Activity(String type, String event, double sessions) {}

  /**
   * @param sessions how many waited at a time, in the mean
   */
  public record LockedTable(String table, double sessions) {}
}
