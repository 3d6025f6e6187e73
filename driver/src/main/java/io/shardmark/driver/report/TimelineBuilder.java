package io.shardmark.driver.report;

import io.shardmark.driver.report.TypeData.Counts;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.IntCountsHistogram;
import org.jspecify.annotations.Nullable;

/**
 * Sums up by type and time. At most {@value #MOST} buckets: when there would be more, each two
 * become one of twice the width.
 */
final class TimelineBuilder {
  static final int MOST = 600;
  private static final long FIRST_WIDTH_MILLIS = 1000;

  private final List<List<Bucket>> byType = new ArrayList<>();
  private long widthMillis = FIRST_WIDTH_MILLIS;
  private int buckets;

  /** What happened to one type in one bucket. */
  static final class Bucket {
    private long successes;
    private long rolledBack;
    private long errors;
    private long retries;
    private double sumMillis;
    private double @Nullable [] percentiles;

    private boolean isUsed() {
      return successes + errors + retries > 0;
    }

    private void add(Bucket other) {
      successes += other.successes;
      rolledBack += other.rolledBack;
      errors += other.errors;
      retries += other.retries;
      sumMillis += other.sumMillis;
      percentiles = null;
    }
  }

  boolean isEmpty() {
    return buckets == 0;
  }

  /** One transaction. */
  void addRow(int type, long atMillis, long latencyMillis, boolean failed) {
    Bucket bucket = bucket(type, atMillis);
    if (failed) {
      bucket.errors++;
    } else {
      bucket.successes++;
      bucket.sumMillis += latencyMillis;
    }
  }

  /**
   * One second of one type.
   *
   * @param counts how its transactions ended
   * @param sumMillis of the latencies of successes
   * @param percentiles 50th, 95th and 99th in ms
   */
  void addSecond(int type, long second, Counts counts, double sumMillis, double[] percentiles) {
    Bucket bucket = bucket(type, second * 1000);
    bucket.successes += counts.successes();
    bucket.rolledBack += counts.rolledBack();
    bucket.errors += counts.errors();
    bucket.retries += counts.retries();
    bucket.sumMillis += sumMillis;
    // Percentiles cannot be added: they hold for as long as a bucket is one second.
    bucket.percentiles = widthMillis == FIRST_WIDTH_MILLIS ? percentiles.clone() : null;
  }

  private Bucket bucket(int type, long atMillis) {
    while (atMillis / widthMillis >= MOST) {
      widen();
    }
    while (byType.size() <= type) {
      byType.add(new ArrayList<>());
    }
    List<Bucket> line = byType.get(type);
    int index = (int) (atMillis / widthMillis);
    while (line.size() <= index) {
      line.add(new Bucket());
    }
    buckets = Math.max(buckets, index + 1);
    return line.get(index);
  }

  private void widen() {
    widthMillis *= 2;
    buckets = (buckets + 1) / 2;
    for (List<Bucket> line : byType) {
      int size = (line.size() + 1) / 2;
      for (int i = 0; i < size; i++) {
        Bucket first = line.get(2 * i);
        if (2 * i + 1 < line.size()) {
          first.add(line.get(2 * i + 1));
        } else {
          first.percentiles = null;
        }
        line.set(i, first);
      }
      line.subList(size, line.size()).clear();
    }
  }

  /** All of one type. */
  Counts totals(int type) {
    long all = 0;
    long rolledBack = 0;
    long errors = 0;
    long retries = 0;
    for (Bucket bucket : type < byType.size() ? byType.get(type) : List.<Bucket>of()) {
      all += bucket.successes + bucket.errors;
      rolledBack += bucket.rolledBack;
      errors += bucket.errors;
      retries += bucket.retries;
    }
    return new Counts(all, rolledBack, errors, retries, 0);
  }

  /**
   * The finished timeline.
   *
   * @param names of the types that are wanted
   * @param histograms percentiles of buckets that have none of their own
   * @param intervalSeconds length of the interval: what ended after it is left out, and its end
   *     decides how wide the last bucket is
   */
  Timeline build(TypeNames names, BucketHistograms histograms, double intervalSeconds) {
    double width = widthMillis / 1000.0;
    int columns = Math.min(buckets, (int) Math.ceil(intervalSeconds / width - 1e-6));
    double last = columns == 0 ? width : Math.min(width, intervalSeconds - (columns - 1) * width);
    List<Timeline.Line> lines = new ArrayList<>();
    for (int type = 0; type < byType.size(); type++) {
      // Our files have rows of zeros for a type that never occurred, BenchmarkSQL's have none.
      if (byType.get(type).stream().anyMatch(Bucket::isUsed)) {
        lines.add(line(names.names().get(type), type, columns, histograms));
      }
    }
    return new Timeline(width, last, lines);
  }

  private Timeline.Line line(String name, int type, int columns, BucketHistograms histograms) {
    List<Bucket> source = byType.get(type);
    List<Long> successes = new ArrayList<>();
    List<Long> errors = new ArrayList<>();
    List<Long> retries = new ArrayList<>();
    List<Double> mean = new ArrayList<>();
    List<List<Double>> percentiles =
        List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < columns; i++) {
      Bucket bucket = i < source.size() ? source.get(i) : new Bucket();
      successes.add(bucket.successes);
      errors.add(bucket.errors);
      retries.add(bucket.retries);
      mean.add(bucket.successes == 0 ? Double.NaN : bucket.sumMillis / bucket.successes);
      double middle = (i + 0.5) * widthMillis / 1000;
      double[] values = percentiles(bucket, histograms.at(type, middle));
      for (int p = 0; p < values.length; p++) {
        percentiles.get(p).add(values[p]);
      }
    }
    return new Timeline.Line(
        name,
        successes,
        errors,
        retries,
        mean,
        percentiles.get(0),
        percentiles.get(1),
        percentiles.get(2));
  }

  private static double[] percentiles(Bucket bucket, @Nullable IntCountsHistogram histogram) {
    if (bucket.successes == 0) {
      return new double[] {Double.NaN, Double.NaN, Double.NaN};
    }
    if (bucket.percentiles != null) {
      return bucket.percentiles;
    }
    if (histogram == null || histogram.getTotalCount() == 0) {
      return new double[] {Double.NaN, Double.NaN, Double.NaN};
    }
    return new double[] {
      histogram.getValueAtPercentile(50) / BucketHistograms.UNITS_PER_MILLI,
      histogram.getValueAtPercentile(95) / BucketHistograms.UNITS_PER_MILLI,
      histogram.getValueAtPercentile(99) / BucketHistograms.UNITS_PER_MILLI
    };
  }
}
