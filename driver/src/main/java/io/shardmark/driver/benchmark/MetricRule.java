package io.shardmark.driver.benchmark;

import java.util.Set;

/**
 * A figure that a benchmark's result is judged by.
 *
 * @param name such as {@code tpmC}
 * @param unit after the number, such as {@code /min}
 * @param kind how it is computed from the transactions of the measurement interval
 * @param types names of the transaction types that count; empty for all that are counted in totals
 * @param higherIsBetter true if more of it is better
 */
public record MetricRule(
    String name, String unit, Computation kind, Set<String> types, boolean higherIsBetter) {
  /** How a metric is computed. Deliberate rollbacks count as commits, as TPC-C has it. */
  public enum Computation {
    /** Transactions a minute. */
    COMMITS_PER_MINUTE,
    /** Transactions a second. */
    COMMITS_PER_SECOND,
    /** Median of the transactions in each second of the interval. */
    MEDIAN_SECOND,
    /** Transactions in the best second of the interval. */
    BEST_SECOND,
    /** Operations a second: transactions by how many operations a type has. */
    OPERATIONS_PER_SECOND,
    /** Not computed: the workload's {@link Follower} has a figure of the same name, or none. */
    OBSERVED
  }

  public MetricRule {
    types = Set.copyOf(types);
  }

  /** True if it is a count over time, which is known at each moment of a run. */
  public boolean isRate() {
    return switch (kind) {
      case COMMITS_PER_MINUTE, COMMITS_PER_SECOND, OPERATIONS_PER_SECOND -> true;
      case MEDIAN_SECOND, BEST_SECOND, OBSERVED -> false;
    };
  }

  /** True if it counts all types that are counted in totals. */
  public boolean ofAll() {
    return types.isEmpty();
  }

  /** Of a rate: what one success of this type adds to the count. */
  public long weight(TransactionType type) {
    if (types.isEmpty() ? !type.counted() : !types.contains(type.name())) {
      return 0;
    }
    return kind == Computation.OPERATIONS_PER_SECOND ? type.operations() : 1;
  }

  /** Of a rate: the seconds of its unit. */
  public int periodSeconds() {
    return kind == Computation.COMMITS_PER_MINUTE ? 60 : 1;
  }

  /** A figure of the workload's follower. */
  public static MetricRule observed(String name, String unit, boolean higherIsBetter) {
    return new MetricRule(name, unit, Computation.OBSERVED, Set.of(), higherIsBetter);
  }

  /** More is better. */
  public static MetricRule rate(String name, String unit, Computation kind, String... types) {
    return new MetricRule(name, unit, kind, Set.of(types), true);
  }
}
