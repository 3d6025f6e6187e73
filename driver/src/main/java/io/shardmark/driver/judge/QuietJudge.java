package io.shardmark.driver.judge;

import static java.util.Objects.requireNonNullElse;

import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.LoadFigures;
import io.shardmark.driver.results.RunResult;

/** Whether a time without a success is more than chance, and how long the one at the end is. */
final class QuietJudge {
  private QuietJudge() {}

  /** Of a run without any success each quiet time is. */
  static boolean isMoreThanChance(RunResult run, long quietSeconds) {
    double rest = run.interval().seconds() - quietSeconds;
    long successes = run.transactionCount();
    return quietSeconds >= Limits.SHORTEST_QUIET_SECONDS
        && (rest <= 0
            ? successes == 0
            : successes / rest * quietSeconds >= Limits.EXPECTED_IN_QUIET);
  }

  /**
   * True if no transaction that was under way at the end came to its own end in the grace period:
   * the system answered nobody. A few of several may wait for a lock.
   */
  static boolean answersNobodyAfterEnd(RunResult run) {
    LoadFigures load = requireNonNullElse(run.load(), LoadFigures.NONE);
    // After a fault of the driver the grace period is too short to say anything.
    return run.run().ending() != Ending.ABORTED
        && load.inFlightAtEnd() > 0
        && load.brokenOff() >= load.inFlightAtEnd();
  }

  /**
   * For how many seconds the system had given no success when the run was over; 0 if it was there.
   * The grace period is part of it if nobody was answered in it.
   */
  static long outageAtEndSeconds(RunResult run) {
    long atEnd = run.quiet().secondsAtEnd();
    if (answersNobodyAfterEnd(run)) {
      return atEnd + LoadFigures.GRACE_SECONDS;
    }
    return isMoreThanChance(run, atEnd) ? atEnd : 0;
  }
}
