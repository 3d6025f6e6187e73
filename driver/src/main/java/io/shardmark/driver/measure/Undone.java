package io.shardmark.driver.measure;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.shardmark.driver.results.Latency;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that were due and not done when the interval ended, with their ages at that instant.
 * What they would have taken is at least that, so they can only raise the figures of those that
 * were done: where they do, the figure is a lower bound.
 */
final class Undone {
  private static final double MIN_RAISE = 1.01;
  private static final double[] PERCENTILES = {50, 90, 95, 99, 99.9};

  private final LatencyHistogram ages;
  private long never;

  Undone() {
    this(new LatencyHistogram());
  }

  @JsonCreator
  private Undone(@JsonProperty(value = "ages", required = true) LatencyHistogram ages) {
    this.ages = ages;
  }

  /**
   * So many that were not done when an interval ended, if they were due by then. What ended in an
   * error has not ended well later either: nobody knows what it would have taken.
   */
  void add(Sample sample, long count, MeasurementInterval interval) {
    long ageNanos = interval.endNanos() - sample.dueNanos();
    if (ageNanos <= 0 || sample.endNanos() - interval.endNanos() < 0) {
      return;
    }
    never += sample.disposition().isError() ? count : 0;
    ages.record(ageNanos, count);
  }

  void add(Undone other) {
    ages.add(other.ages);
    never += other.never;
  }

  void reset() {
    ages.reset();
    never = 0;
  }

  long count() {
    return ages.count();
  }

  /**
   * Due-time latencies of those that were done, each figure at least what it is with the undone
   * ones' ages among them.
   */
  Latency raise(LatencyHistogram done) {
    if (count() == 0) {
      return done.figures();
    }
    LatencyHistogram with = done.copy();
    with.add(ages);
    Latency alone = done.figures();
    Latency raised = with.figures();
    return new Latency(
        done.count(),
        count(),
        lowerBoundFrom(done, with),
        done.count() == 0 ? raised.min() : alone.min(),
        raise(alone.mean(), raised.mean()),
        raise(alone.p50(), raised.p50()),
        raise(alone.p90(), raised.p90()),
        raise(alone.p95(), raised.p95()),
        raise(alone.p99(), raised.p99()),
        raise(alone.p999(), raised.p999()),
        raise(alone.max(), raised.max()),
        raised.clamped());
  }

  /**
   * The lowest percentile that may be higher than what is known: the ages raise it, or it falls on
   * one of those that never ended; null if there is none.
   */
  private @Nullable Double lowerBoundFrom(LatencyHistogram done, LatencyHistogram with) {
    for (double percentile : PERCENTILES) {
      double rank = Math.ceil(percentile / 100 * (done.count() + never));
      if (isRaised(
              (double) done.percentileNanos(percentile), (double) with.percentileNanos(percentile))
          || rank > done.count()) {
        return percentile;
      }
    }
    return isRaised((double) done.maxNanos(), (double) with.maxNanos())
        ? Double.valueOf(100)
        : null;
  }

  private static double raise(double millis, double raisedMillis) {
    return isRaised(millis, raisedMillis) ? raisedMillis : millis;
  }

  /** By more than what a few transactions more or less make of a figure. */
  private static boolean isRaised(double figure, double raised) {
    return raised > MIN_RAISE * figure;
  }
}
