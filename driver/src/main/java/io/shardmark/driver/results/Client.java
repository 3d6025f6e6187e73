package io.shardmark.driver.results;

import org.jspecify.annotations.Nullable;

/**
 * What the driver's process used in the measurement interval, and how hard its machine had to work.
 * Shares are 0 to 1.
 *
 * @param coresUsed user and system time of the process per second
 * @param coresAvailable processors that it may use
 * @param machineBusyShare of all processors of its machine, what anyone used; null if not known
 * @param machineProcessors how many those are, as {@code taskset} does not change them; null if not
 *     known
 * @param runnableDelayShare of the time that its threads ran or wanted to run, what they waited for
 *     a processor; null if the platform does not say
 * @param serverOnSameMachine true if the server runs on the same machine
 * @param gcShare of the interval, what garbage collection took: its pauses, or the processor time
 *     of its threads where that is less, as on a machine whose processors others use
 * @param gcCount garbage collections
 * @param gcMillis time they reported
 * @param recorderStalls how often a worker waited for the collector of samples
 * @param recorderStalledMillis how long, of all workers together
 * @param recorderStallShare of the time of all workers, what that was
 * @param schedulerLatenessP99Millis how much later than due a terminal was taken up though a worker
 *     with its connection was free, 99th percentile
 * @param schedulerLatenessCount of how many transactions; those for which a worker was waiting
 * @param serviceP50Millis median time of a transaction at the database: what lateness is compared
 *     with
 * @param connectionWaitP99Millis wait for a connection, which is the database's, 99th percentile
 * @param peakRssBytes largest resident memory of the process since its start; 0 if not known
 * @param heldUp when all of the process was suspended or without a processor; null if not known
 * @param contextSwitches of all its threads, those that waited and those that lost their processor;
 *     null if not known
 */
public record Client(
    double coresUsed,
    int coresAvailable,
    @Nullable Double machineBusyShare,
    @Nullable Integer machineProcessors,
    @Nullable Double runnableDelayShare,
    boolean serverOnSameMachine,
    double gcShare,
    long gcCount,
    long gcMillis,
    long recorderStalls,
    double recorderStalledMillis,
    double recorderStallShare,
    double schedulerLatenessP99Millis,
    long schedulerLatenessCount,
    double serviceP50Millis,
    double connectionWaitP99Millis,
    long peakRssBytes,
    @Nullable HoldUps heldUp,
    @Nullable Long contextSwitches) {

  /** What is known of a process whose waits nobody measures. */
  public static Client of(double cores, int available, double gcShare) {
    return new Client(
        cores, available, null, null, null, false, gcShare, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, null,
        null);
  }

  /** Those of its machine; where they are not known, those that it may use. */
  public int processorsOfMachine() {
    return machineProcessors == null ? coresAvailable : machineProcessors;
  }

  /** How many processors of its machine were busy for anyone; null if not known. */
  public @Nullable Double machineCoresUsed() {
    return machineBusyShare == null ? null : machineBusyShare * processorsOfMachine();
  }
}
