package io.shardmark.driver.measure;

import io.shardmark.driver.benchmark.TransactionType;
import java.time.Duration;
import java.util.Optional;

/** Rates of the last seconds for the status line. Used by the collector thread only. */
final class RollingFigures {
  private static final long BUCKET_NANOS = 250_000_000L;
  private static final int RATE_BUCKETS = 20;
  private static final int BUCKETS = 32;
  private static final int PERCENTILE_SECONDS = 5;
  private static final double NANOS_PER_MINUTE = 60e9;

  private final long startNanos;
  private final long intervalStartNanos;
  private final long[] bucketNumbers = new long[BUCKETS];
  private final long[] transactionsInBucket = new long[BUCKETS];
  private final long[] headlinesInBucket = new long[BUCKETS];
  private LatencyHistogram currentDue = new LatencyHistogram();
  private LatencyHistogram previousDue = new LatencyHistogram();
  private int secondsInCurrent;
  private long transactions;
  private long measured;
  private long errors;

  /**
   * @param startNanos of the session
   * @param intervalStartNanos of the measurement interval, behind the ramp-up
   */
  RollingFigures(long startNanos, long intervalStartNanos) {
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
    if (sample.endNanos() - intervalStartNanos >= 0) {
      measured++;
    }
    long number = bucketNumber(sample.endNanos());
    int bucket = (int) Math.floorMod(number, (long) BUCKETS);
    if (bucketNumbers[bucket] < number) {
      bucketNumbers[bucket] = number;
      transactionsInBucket[bucket] = 0;
      headlinesInBucket[bucket] = 0;
    } else if (bucketNumbers[bucket] > number) {
      return; // so late that its bucket is used again; it is too old for the rate anyway
    }
    transactionsInBucket[bucket]++;
    headlinesInBucket[bucket] += type.headline() ? 1 : 0;
  }

  /** Takes over the latencies of a second that is complete. */
  void addSecond(Iterable<SecondWindow.Slot> slots) {
    if (secondsInCurrent == PERCENTILE_SECONDS) {
      LatencyHistogram oldest = previousDue;
      oldest.reset();
      previousDue = currentDue;
      currentDue = oldest;
      secondsInCurrent = 0;
    }
    slots.forEach(slot -> slot.addDueTo(currentDue));
    secondsInCurrent++;
  }

  private long bucketNumber(long nanos) {
    return Math.floorDiv(nanos - startNanos, BUCKET_NANOS);
  }

  LiveFigures figures(long nowNanos, MeasurementInterval interval) {
    long elapsed = Math.max(1, nowNanos - startNanos);
    // The bucket of this moment is not full yet: count the 5 s of whole buckets before it, or what
    // there is of them shortly after the start.
    long thisBucket = bucketNumber(nowNanos);
    long inWindow = 0;
    long headlines = 0;
    for (long number = Math.max(0, thisBucket - RATE_BUCKETS); number < thisBucket; number++) {
      int bucket = (int) Math.floorMod(number, (long) BUCKETS);
      if (bucketNumbers[bucket] == number) {
        inWindow += transactionsInBucket[bucket];
        headlines += headlinesInBucket[bucket];
      }
    }
    long windowNanos = Math.min(thisBucket, RATE_BUCKETS) * BUCKET_NANOS;
    LatencyHistogram due = previousDue.copy();
    due.add(currentDue);
    return new LiveFigures(
        phaseAt(nowNanos, interval),
        Duration.ofNanos(elapsed),
        interval.isOpenEnded()
            ? Optional.empty()
            : Optional.of(Duration.ofNanos(Math.max(0, interval.endNanos() - nowNanos))),
        transactions,
        errors,
        average(nowNanos, elapsed),
        Math.round(perMinute(inWindow, windowNanos)),
        Math.round(perMinute(headlines, windowNanos)),
        due.percentileNanos(95));
  }

  /** Of the interval as soon as there is any of it: the ramp-up says nothing of it. */
  private double average(long nowNanos, long elapsedNanos) {
    long inInterval = nowNanos - intervalStartNanos;
    return inInterval > 0 ? perMinute(measured, inInterval) : perMinute(transactions, elapsedNanos);
  }

  private static double perMinute(long count, long nanos) {
    return nanos <= 0 ? 0 : count * NANOS_PER_MINUTE / nanos;
  }

  private static LiveFigures.Phase phaseAt(long nanos, MeasurementInterval interval) {
    if (interval.contains(nanos)) {
      return LiveFigures.Phase.MEASURING;
    }
    return nanos - interval.startNanos() < 0 ? LiveFigures.Phase.RAMP_UP : LiveFigures.Phase.ENDING;
  }
}
