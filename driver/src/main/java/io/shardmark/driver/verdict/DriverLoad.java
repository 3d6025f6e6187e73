package io.shardmark.driver.verdict;

import java.util.OptionalDouble;

/**
 * How hard one driver and its machine had to work in the measurement interval. Nothing in it is a
 * wait for the database.
 *
 * @param coresUsed user and system time of the driver's process per second
 * @param coresAvailable processors that it may use
 * @param machineBusyShare 0 .. 1: share of all processors of its machine that anyone used; empty if
 *     not known
 * @param serverHere true if the server runs on the same machine
 * @param runnableDelayShare 0 .. 1: of the time that its threads ran or wanted to run, what they
 *     waited for a processor; empty if the platform does not tell
 * @param gcPauseShare 0 .. 1: share of the interval that garbage collection took
 * @param ringStalls how often a worker waited for the collector
 * @param ringStallShare 0 .. 1: of the time of all workers, what they waited for the collector
 * @param lateness how much later than due a terminal was taken up though a worker with its
 *     connection was free
 */
public record DriverLoad(
    double coresUsed,
    int coresAvailable,
    OptionalDouble machineBusyShare,
    boolean serverHere,
    OptionalDouble runnableDelayShare,
    double gcPauseShare,
    long ringStalls,
    double ringStallShare,
    Lateness lateness) {

  /**
   * @param p99Nanos 99th percentile
   * @param count of how many transactions; those for which a worker was waiting
   * @param serviceP50Nanos median time of a transaction at the database: what lateness is compared
   *     with
   */
  public record Lateness(long p99Nanos, long count, long serviceP50Nanos) {
    public static final Lateness NONE = new Lateness(0, 0, 0);
  }
}
