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
 *     terminals; 0 means no limit
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
  public PacingConfig {
    stages = List.copyOf(stages);
  }

  /** True if terminals key or think, so that Delivery is deferred as TPC-C 2.7 has it. */
  public boolean isPaced() {
    return keyingTimeMultiplier > 0 || thinkTimeMultiplier > 0;
  }

  /**
   * The pacing of a process that has a part of the terminals: each terminal keeps the limit that it
   * has in the whole run, and the last one starts when it would there. The shares of an open loop's
   * rate add up to the whole.
   *
   * @param whole terminals of the run
   * @param first number of the process' first terminal
   * @param own terminals of the process
   */
  PacingConfig share(int whole, int first, int own) {
    return new PacingConfig(
        keyingTimeMultiplier,
        thinkTimeMultiplier,
        limitTxnsPerMin / whole * own,
        rampupDelay.multipliedBy(whole).dividedBy(own),
        (int)
            ((long) openLoopTxnsPerMin * (first + own) / whole
                - (long) openLoopTxnsPerMin * first / whole),
        limitPacing,
        stages);
  }
}
