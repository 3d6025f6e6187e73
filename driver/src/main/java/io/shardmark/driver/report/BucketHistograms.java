package io.shardmark.driver.report;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.IntCountsHistogram;
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

  private final List<List<@Nullable IntCountsHistogram>> byType = new ArrayList<>();
  private long widthMillis;
  private int buckets;

  BucketHistograms(long widthMillis) {
    this.widthMillis = widthMillis;
  }

  double widthSeconds() {
    return widthMillis / 1000.0;
  }

  /** How many buckets there are, empty ones at the end not counted. */
  int size() {
    return buckets;
  }

  void record(int type, long atMillis, long latencyMillis) {
    bucket(type, atMillis).recordValue(latencyMillis * (long) UNITS_PER_MILLI);
  }

  /** Adds a histogram of nanoseconds. */
  void addNanos(int type, long atMillis, Histogram nanos) {
    IntCountsHistogram bucket = bucket(type, atMillis);
    nanos
        .recordedValues()
        .forEach(
            step ->
                bucket.recordValueWithCount(
                    step.getValueIteratedTo() / 1000, step.getCountAddedInThisIterationStep()));
  }

  private IntCountsHistogram bucket(int type, long atMillis) {
    while (atMillis / widthMillis >= MOST) {
      widen();
    }
    while (byType.size() <= type) {
      byType.add(new ArrayList<>());
    }
    List<@Nullable IntCountsHistogram> line = byType.get(type);
    int index = (int) (atMillis / widthMillis);
    while (line.size() <= index) {
      line.add(null);
    }
    IntCountsHistogram histogram = line.get(index);
    if (histogram == null) {
      histogram = new IntCountsHistogram(SIGNIFICANT_DIGITS);
      histogram.setAutoResize(true);
      line.set(index, histogram);
    }
    buckets = Math.max(buckets, index + 1);
    return histogram;
  }

  private void widen() {
    widthMillis *= 2;
    buckets = (buckets + 1) / 2;
    for (List<@Nullable IntCountsHistogram> line : byType) {
      int size = (line.size() + 1) / 2;
      for (int i = 0; i < size; i++) {
        IntCountsHistogram second = 2 * i + 1 < line.size() ? line.get(2 * i + 1) : null;
        line.set(i, merged(line.get(2 * i), second));
      }
      line.subList(size, line.size()).clear();
    }
  }

  private static @Nullable IntCountsHistogram merged(
      @Nullable IntCountsHistogram first, @Nullable IntCountsHistogram second) {
    if (first == null || second == null) {
      return first == null ? second : first;
    }
    first.add(second);
    return first;
  }

  /** The bucket of a type at a time; null if nothing was recorded there. */
  @Nullable IntCountsHistogram at(int type, double seconds) {
    int index = (int) (seconds * 1000 / widthMillis);
    return type < byType.size() && index < byType.get(type).size()
        ? byType.get(type).get(index)
        : null;
  }

  /**
   * A percentile of each part of the time, in ms; parts that were not as long as the others, or
   * without anything in them, are left out. A part has 10 s at least, so that a 99th percentile is
   * of more than one transaction.
   *
   * @param seconds in which something may have been recorded
   */
  List<Double> percentilesOfParts(int type, double percentile, double seconds) {
    long partMillis = widthMillis * ((LEAST_PART_MILLIS + widthMillis - 1) / widthMillis);
    int perPart = (int) (partMillis / widthMillis);
    List<Double> values = new ArrayList<>();
    for (int from = 0;
        (from + perPart) * widthMillis <= Math.round(1000 * seconds);
        from += perPart) {
      Histogram part = new Histogram(SIGNIFICANT_DIGITS);
      part.setAutoResize(true);
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
    sum.setAutoResize(true);
    for (int type : types) {
      IntCountsHistogram part =
          type < byType.size() && index < byType.get(type).size()
              ? byType.get(type).get(index)
              : null;
      if (part != null) {
        sum.add(part);
      }
    }
    return sum;
  }
}
