package io.shardmark.driver.results.reader;

import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.TypeResult;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * One transaction type of a run.
 *
 * @param result what it did; without {@code summary.json}, as far as the other files say
 * @param due latencies from due to end of successes: the finest that the directory has
 * @param service latencies from first statement to end, of rows; empty where not all rows are there
 * @param inRows {@code due} as BenchmarkSQL has it: of rows, in whole milliseconds, where all are
 *     there
 */
public record TypeData(
    TypeResult result,
    LatencyDistribution due,
    LatencyDistribution service,
    LatencyDistribution inRows) {

  /** Latencies from due to end, as the run itself counted them where it did. */
  public Latency figures() {
    return result.latencyMillis().of(Scope.ALL, LatencyKind.DUE).orElseGet(due::figures);
  }

  /** Whether 90 % of these are below the limit; empty if that is not known or there is none. */
  public Optional<Boolean> limitMet() {
    return Optional.ofNullable(
        TypeResult.limitMet(result.count(), result.successes(), result.limitMillis(), figures()));
  }

  public String name() {
    return result.name();
  }

  /**
   * How transactions ended.
   *
   * @param rolledBack on purpose (TPC-C 2.4.1.4)
   * @param retries how often some were tried again
   * @param skipped districts without an open order
   */
  record TypeCounts(long all, long rolledBack, long errors, long retries, long skipped) {
    static final TypeCounts NONE = new TypeCounts(0, 0, 0, 0, 0);
    private static final long MOST = 1L << 40;

    long successes() {
      return all - errors;
    }

    /** Whether they can be those of a file: none below 0, nor so large that sums go wrong. */
    boolean areSound() {
      return LongStream.of(all, rolledBack, errors, retries, skipped)
              .allMatch(count -> count >= 0 && count <= MOST)
          && errors <= all;
    }

    TypeCounts plus(TypeCounts other) {
      return new TypeCounts(
          all + other.all,
          rolledBack + other.rolledBack,
          errors + other.errors,
          retries + other.retries,
          skipped + other.skipped);
    }
  }
}
