package io.shardmark.driver.results.reader;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Latency histograms by type and time. At most {@value #MOST} buckets: when there would be more,
 * each two become one of twice the width, so that a run of any length fits.
 */
final class BucketHistograms {
  static final int MOST = 300;

  /** A percent of precision is more than a line in a chart shows, and small. */
  private static final int SIGNIFICANT_DIGITS = 2;

  static final double UNITS_PER_MILLI = 1000;
  private static final long LEAST_PART_MILLIS = 10_000;

  private final Buckets<Histogram> buckets;

  BucketHistograms(long widthMillis) {
    buckets =
        new Buckets<>(widthMillis, MOST, () -> new Histogram(SIGNIFICANT_DIGITS), Histogram::add);
  }

  double widthSeconds() {
    return buckets.width() / 1000.0;
  }

  /** How many buckets there are, empty ones at the end not counted. */
  int size() {
    return buckets.size();
  }

  void record(int type, long atMillis, long latencyMillis) {
    buckets.at(type, atMillis).recordValue(latencyMillis * (long) UNITS_PER_MILLI);
  }

  /** Adds a histogram of nanoseconds. */
  void addNanos(int type, long atMillis, Histogram nanos) {
    Histogram bucket = buckets.at(type, atMillis);
    nanos
        .recordedValues()
        .forEach(
            step ->
                bucket.recordValueWithCount(
                    step.getValueIteratedTo() / 1000, step.getCountAddedInThisIterationStep()));
  }

  /** The bucket of a type at a time; null if nothing was recorded there. */
  @Nullable Histogram at(int type, double seconds) {
    return buckets.find(type, (int) (seconds * 1000 / buckets.width()));
  }

  /**
   * A percentile of each part of the time, in ms; parts that were not as long as the others, or
   * without anything in them, are left out. A part has 10 s at least, so that a 99th percentile is
   * of more than one transaction.
   *
   * @param seconds in which something may have been recorded
   */
  List<Double> percentilesOfParts(int type, double percentile, double seconds) {
    long widthMillis = buckets.width();
    long partMillis = widthMillis * ((LEAST_PART_MILLIS + widthMillis - 1) / widthMillis);
    int perPart = (int) (partMillis / widthMillis);
    List<Double> values = new ArrayList<>();
    long whole = Math.min(buckets.size() + perPart, Math.round(1000 * seconds) / widthMillis);
    for (int from = 0; from + perPart <= whole; from += perPart) {
      Histogram part = new Histogram(SIGNIFICANT_DIGITS);
      for (int i = from; i < from + perPart; i++) {
        part.add(sum(i, List.of(type)));
      }
      if (part.getTotalCount() > 0) {
        values.add(part.getValueAtPercentile(percentile) / UNITS_PER_MILLI);
      }
    }
    return values;
  }

  /** All types that are wanted together, for one bucket. */
  Histogram sum(int index, List<Integer> types) {
    Histogram sum = new Histogram(SIGNIFICANT_DIGITS);
    for (int type : types) {
      Histogram part = buckets.find(type, index);
      if (part != null) {
        sum.add(part);
      }
    }
    return sum;
  }
}
