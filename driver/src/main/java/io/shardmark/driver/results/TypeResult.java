package io.shardmark.driver.results;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one type of transaction did in the measurement interval.
 *
 * @param name such as {@code PAYMENT}
 * @param headline whether the benchmark's main metric counts it
 * @param counted whether it is counted as a transaction; false for the background part of another
 * @param count all that ended in the interval, however they ended
 * @param committed of these
 * @param rolledBack of these, on purpose; they are successes
 * @param errors of these, failed
 * @param mixPercent share of all counted ones; null if it is not counted, or nothing was
 * @param retries how often some were tried again
 * @param retriedTransactions how many those were
 * @param skipped units of work that found nothing to do
 * @param undone due and not done when the interval ended; in no count
 * @param limitMillis what 90 % of the response times must stay below; 0 if there is no limit
 * @param limitMet whether they did; null if none occurred or there is no limit
 * @param errorsByDisposition failed ones by what failed
 * @param latencyMillis how long they took
 */
public record TypeResult(
    String name,
    boolean headline,
    boolean counted,
    long count,
    long committed,
    long rolledBack,
    long errors,
    @Nullable Double mixPercent,
    long retries,
    long retriedTransactions,
    long skipped,
    long undone,
    double limitMillis,
    @Nullable Boolean limitMet,
    Map<String, Long> errorsByDisposition,
    Latencies latencyMillis) {
  public TypeResult {
    errorsByDisposition = ordered(errorsByDisposition);
    latencyMillis = Objects.requireNonNullElse(latencyMillis, Latencies.NONE);
  }

  /** Committed, or rolled back on purpose. */
  public long successes() {
    return count - errors;
  }

  /**
   * TPC-C 5.2.5.3: whether 90 % stayed below their limit. A type that never succeeded has not met
   * it; null if none occurred, or there is no limit, or no latencies.
   */
  public static @Nullable Boolean limitMet(
      long count, long successes, double limitMillis, Latency due) {
    if (limitMillis <= 0 || count == 0 || (successes > 0 && due.count() == 0)) {
      return null;
    }
    return successes > 0 && due.p90() < limitMillis;
  }

  /** A copy in the same order that nobody can change. */
  public static <V> Map<String, V> ordered(Map<String, V> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }
}
