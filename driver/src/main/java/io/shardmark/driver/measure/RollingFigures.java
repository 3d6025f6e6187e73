package io.shardmark.driver.measure;

import io.shardmark.driver.benchmark.TransactionType;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** Rates of the last seconds for the status line. Used by the collector thread only. */
final class RollingFigures {
  private static final long BUCKET_NANOS = 250_000_000L;
  private static final int RATE_BUCKETS = 20;
  private static final int BUCKETS = 32;

  private final long startNanos;
  private final long intervalStartNanos;
  private final long[] bucketNumbers = new long[BUCKETS];

  /** Of each bucket the successes by type. */
  private final long[][] successesInBucket;

  /** By type, since the start and since the interval began. */
  private final long[] successes;

  private final long[] measured;
  private final RecentLatencies due = new RecentLatencies();
  private long transactions;
  private long errors;

  /**
   * @param types how many types there are
   * @param startNanos of the session
   * @param intervalStartNanos of the measurement interval, after the ramp-up
   */
  RollingFigures(int types, long startNanos, long intervalStartNanos) {
    successesInBucket = new long[BUCKETS][types];
    successes = new long[types];
    measured = new long[types];
    this.startNanos = startNanos;
    this.intervalStartNanos = intervalStartNanos;
  }

  void add(Sample sample, TransactionType type) {
    if (sample.disposition().isError()) {
      errors++;
      return;
    }
    if (!type.counted()) {
      return;
    }
    transactions++;
    successes[type.index()]++;
    if (sample.endNanos() - intervalStartNanos >= 0) {
      measured[type.index()]++;
    }
    long number = bucketNumber(sample.endNanos());
    int bucket = (int) Math.floorMod(number, (long) BUCKETS);
    if (bucketNumbers[bucket] < number) {
      bucketNumbers[bucket] = number;
      Arrays.fill(successesInBucket[bucket], 0);
    } else if (bucketNumbers[bucket] > number) {
      return; // so late that its bucket is used again; it is too old for the rate anyway
    }
    successesInBucket[bucket][type.index()]++;
  }

  /** Takes over the latencies of a second that is complete. */
  void addSecond(Iterable<SecondSum> sums) {
    LatencyHistogram second = due.nextSecond();
    sums.forEach(sum -> second.add(sum.due()));
  }

  private long bucketNumber(long nanos) {
    return Math.floorDiv(nanos - startNanos, BUCKET_NANOS);
  }

  LiveFigures figures(long nowNanos, MeasurementInterval interval) {
    long elapsed = Math.max(1, nowNanos - startNanos);
    return new LiveFigures(
        phaseAt(nowNanos, interval),
        Duration.ofNanos(elapsed),
        interval.isOpenEnded()
            ? Optional.empty()
            : Optional.of(Duration.ofNanos(Math.max(0, interval.endNanos() - nowNanos))),
        transactions,
        errors,
        average(nowNanos, elapsed),
        current(bucketNumber(nowNanos)),
        due.sum().percentileNanos(95));
  }

  /** Of the interval as soon as there is any of it: the ramp-up says nothing of it. */
  private SuccessCounts average(long nowNanos, long elapsedNanos) {
    long inInterval = nowNanos - intervalStartNanos;
    return inInterval > 0
        ? SuccessCounts.of(measured, inInterval)
        : SuccessCounts.of(successes, elapsedNanos);
  }

  /**
   * The bucket of this moment is not full yet: this counts the 5 s of whole buckets before it, or
   * what there is of them shortly after the start.
   */
  private SuccessCounts current(long thisBucket) {
    long[] sums = new long[successes.length];
    for (long number = Math.max(0, thisBucket - RATE_BUCKETS); number < thisBucket; number++) {
      int bucket = (int) Math.floorMod(number, (long) BUCKETS);
      if (bucketNumbers[bucket] == number) {
        for (int type = 0; type < sums.length; type++) {
          sums[type] += successesInBucket[bucket][type];
        }
      }
    }
    return SuccessCounts.of(sums, Math.min(thisBucket, RATE_BUCKETS) * BUCKET_NANOS);
  }

  private static LiveFigures.Phase phaseAt(long nanos, MeasurementInterval interval) {
    if (interval.contains(nanos)) {
      return LiveFigures.Phase.MEASURING;
    }
    return nanos - interval.startNanos() < 0 ? LiveFigures.Phase.RAMP_UP : LiveFigures.Phase.ENDING;
  }
}
