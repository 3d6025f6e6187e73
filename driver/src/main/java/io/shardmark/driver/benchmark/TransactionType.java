package io.shardmark.driver.benchmark;

import java.time.Duration;

/**
 * One kind of transaction of a workload.
 *
 * @param index position in {@link Workload#types()}, from 0
 * @param name the name in result files and reports, for example {@code NEW_ORDER}
 * @param headline true for the types whose rate is the benchmark's figure
 * @param counted true if it is counted as a transaction in totals; false for the background part of
 *     another one
 * @param keyingTime constant time before the transaction is sent, at multiplier 1 (TPC-C 5.2.5.2)
 * @param meanThinkTime mean of the exponential time after its answer, at multiplier 1 (TPC-C
 *     5.2.5.4)
 * @param responseTimeLimit what 90 % of the response times must stay below (TPC-C 5.2.5.3); zero if
 *     the benchmark sets no limit
 * @param operations statements or calls that one transaction counts as in a rate of operations
 */
public record TransactionType(
    int index,
    String name,
    boolean headline,
    boolean counted,
    Duration keyingTime,
    Duration meanThinkTime,
    Duration responseTimeLimit,
    int operations) {

  /** A transaction whose terminal neither keys nor thinks, without a limit of its time. */
  public static TransactionType unpaced(int index, String name, int operations) {
    return new TransactionType(
        index, name, true, true, Duration.ZERO, Duration.ZERO, Duration.ZERO, operations);
  }
}
