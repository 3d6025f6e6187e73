package io.shardmark.config;

import java.time.Duration;
import java.util.List;

/**
 * When a terminal's next transaction is due.
 *
 * @param keyingTimeMultiplier key {@code keyingTimeMultiplier}: factor on the constant keying times
 *     of TPC-C 5.2.5.2; 0 means none
 * @param thinkTimeMultiplier key {@code thinkTimeMultiplier}: factor on the mean of the exponential
 *     think times of TPC-C 5.2.5.4; 0 means none
 * @param limitTxnsPerMin key {@code limitTxnsPerMin}: transactions a minute, a total over all
 *     terminals; 0 and {@link #NO_LIMIT_PER_MINUTE} mean no limit
 * @param rampupDelay key {@code rampupDelay}: terminal i starts i times this later
 * @param openLoopTxnsPerMin key {@code openLoopTxnsPerMin}: transactions are due at this rate, a
 *     total over all terminals, whether or not the ones before have been answered; 0 means that a
 *     terminal waits for its answer first. Not together with the other three kinds of pacing
 * @param limitPacing key {@code limitPacing}: how the limit spaces transactions
 * @param stages key {@code stages}: rates of the open loop one after the other, the first one in
 *     the ramp-up too; empty if there is one rate, or none. Not together with any other pacing
 */
public record PacingConfig(
    double keyingTimeMultiplier,
    double thinkTimeMultiplier,
    int limitTxnsPerMin,
    Duration rampupDelay,
    int openLoopTxnsPerMin,
    LimitPacing limitPacing,
    List<Stage> stages) {
  /** So much and more is no limit: the value of BenchmarkSQL's sample, of which it makes none. */
  public static final int NO_LIMIT_PER_MINUTE = 10_000_000;

  private static final long NANOS_PER_MINUTE = 60_000_000_000L;
  private static final int MILLIS_PER_MINUTE = 60_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  public PacingConfig {
    stages = List.copyOf(stages);
  }

  /** True if terminals key or think, so that Delivery is deferred as TPC-C 2.7 has it. */
  public boolean isPaced() {
    return keyingTimeMultiplier > 0 || thinkTimeMultiplier > 0;
  }

  /**
   * How long a terminal's share of the limit makes its cycle at least; 0 without a limit.
   *
   * @param terminals that share it
   */
  public long minCycleNanos(int terminals) {
    if (limitTxnsPerMin == 0) {
      return 0;
    }
    return switch (limitPacing) {
      case SCHEDULE ->
          limitTxnsPerMin >= NO_LIMIT_PER_MINUTE
              ? 0
              : Math.round((double) NANOS_PER_MINUTE * terminals / limitTxnsPerMin);
      case BENCHMARKSQL -> {
        // BenchmarkSQL's two divisions without remainder; a share of 0 means no limit.
        int perTerminal = limitTxnsPerMin / terminals;
        yield perTerminal == 0 ? 0 : MILLIS_PER_MINUTE / perTerminal * NANOS_PER_MILLI;
      }
    };
  }

  /**
   * What BenchmarkSQL's whole milliseconds make of the limit.
   *
   * @return transactions a minute of all terminals; 0 means no limit
   */
  long allowedPerMinute(int terminals) {
    long cycle = minCycleNanos(terminals);
    return cycle == 0 ? 0 : NANOS_PER_MINUTE * terminals / cycle;
  }

  /**
   * The pacing of a process that has a part of the terminals: the last one starts when it would in
   * the whole run. The shares of a rate or a limit add up to the whole, but none is 0, which would
   * be no limit.
   *
   * @param whole terminals of the run
   * @param first number of the process' first terminal
   * @param own terminals of the process
   */
  PacingConfig share(int whole, int first, int own) {
    return new PacingConfig(
        keyingTimeMultiplier,
        thinkTimeMultiplier,
        limitShare(whole, first, own),
        rampupDelay.multipliedBy(whole).dividedBy(own),
        rateShare(openLoopTxnsPerMin, whole, first, own),
        limitPacing,
        stages);
  }

  private int limitShare(int whole, int first, int own) {
    return switch (limitPacing) {
      case SCHEDULE ->
          limitTxnsPerMin >= NO_LIMIT_PER_MINUTE
              ? limitTxnsPerMin
              : rateShare(limitTxnsPerMin, whole, first, own);
      // Each terminal keeps what it has in the whole run.
      case BENCHMARKSQL -> limitTxnsPerMin / whole * own;
    };
  }

  private static int rateShare(int rate, int whole, int first, int own) {
    long share = (long) rate * (first + own) / whole - (long) rate * first / whole;
    return rate == 0 ? 0 : (int) Math.max(1, share);
  }
}
