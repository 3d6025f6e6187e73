package io.shardmark.driver.measure;

import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.TransactionType;
import java.util.Arrays;
import java.util.List;

/**
 * How many transactions succeeded in some time. Immutable.
 *
 * @param successes of each type, at its index
 * @param nanos length of that time; 0 if there was none yet
 */
public record SuccessCounts(List<Long> successes, long nanos) {
  private static final double NANOS_PER_SECOND = 1e9;

  public static final SuccessCounts NONE = new SuccessCounts(List.of(), 0);

  public SuccessCounts {
    successes = List.copyOf(successes);
  }

  static SuccessCounts of(long[] successes, long nanos) {
    return new SuccessCounts(Arrays.stream(successes).boxed().toList(), nanos);
  }

  /** Of several times that together are so long; none of them if there is none. */
  static SuccessCounts sum(List<List<Long>> parts, long nanos) {
    int types = parts.stream().mapToInt(List::size).max().orElse(0);
    long[] sums = new long[types];
    for (List<Long> part : parts) {
      for (int type = 0; type < types; type++) {
        sums[type] += part.get(type);
      }
    }
    return of(sums, nanos);
  }

  /** A rate in the unit of its metric; 0 without any time. */
  public double rate(MetricRule metric, List<TransactionType> types) {
    if (nanos <= 0) {
      return 0;
    }
    long count = 0;
    for (TransactionType type : types) {
      count += metric.weight(type) * successes.get(type.index());
    }
    return count * (metric.periodSeconds() * NANOS_PER_SECOND) / nanos;
  }
}
