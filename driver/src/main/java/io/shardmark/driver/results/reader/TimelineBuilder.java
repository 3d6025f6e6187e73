package io.shardmark.driver.results.reader;

import io.shardmark.driver.results.reader.TypeData.Counts;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.HdrHistogram.IntCountsHistogram;
import org.jspecify.annotations.Nullable;

/**
 * Sums up by type and time. At most {@value #MOST} buckets: when there would be more, each two
 * become one of twice the width.
 */
final class TimelineBuilder {
  static final int MOST = 600;
  private static final long FIRST_WIDTH_MILLIS = 1000;

  private final Buckets<Bucket> buckets =
      new Buckets<>(FIRST_WIDTH_MILLIS, MOST, Bucket::new, Bucket::add);

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
    }
  }

  boolean isEmpty() {
    return buckets.size() == 0;
  }

  /** One transaction. */
  void addRow(int type, long atMillis, long latencyMillis, boolean failed) {
    Bucket bucket = buckets.at(type, atMillis);
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
    Bucket bucket = buckets.at(type, second * 1000);
    bucket.successes += counts.successes();
    bucket.rolledBack += counts.rolledBack();
    bucket.errors += counts.errors();
    bucket.retries += counts.retries();
    bucket.sumMillis += sumMillis;
    bucket.percentiles = percentiles.clone();
  }

  /** All of one type. */
  Counts totals(int type) {
    long all = 0;
    long rolledBack = 0;
    long errors = 0;
    long retries = 0;
    for (Bucket bucket : buckets.of(type)) {
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
    double width = buckets.width() / 1000.0;
    int columns = Math.min(buckets.size(), (int) Math.ceil(intervalSeconds / width - 1e-6));
    double last = columns == 0 ? width : Math.min(width, intervalSeconds - (columns - 1) * width);
    List<Timeline.Line> lines = new ArrayList<>();
    for (int type = 0; type < buckets.lines(); type++) {
      // Shardmark's files have rows of zeros for a type that never occurred, BenchmarkSQL's have
      // none.
      if (buckets.of(type).stream().anyMatch(Bucket::isUsed)) {
        lines.add(line(names.names().get(type), type, columns, histograms));
      }
    }
    return new Timeline(width, last, lines);
  }

  private Timeline.Line line(String name, int type, int columns, BucketHistograms histograms) {
    List<Long> successes = new ArrayList<>();
    List<Long> errors = new ArrayList<>();
    List<Long> retries = new ArrayList<>();
    List<Double> mean = new ArrayList<>();
    List<List<Double>> percentiles =
        List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < columns; i++) {
      Bucket bucket = Objects.requireNonNullElseGet(buckets.find(type, i), Bucket::new);
      successes.add(bucket.successes);
      errors.add(bucket.errors);
      retries.add(bucket.retries);
      mean.add(bucket.successes == 0 ? Double.NaN : bucket.sumMillis / bucket.successes);
      double middle = (i + 0.5) * buckets.width() / 1000;
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

  private double[] percentiles(Bucket bucket, @Nullable IntCountsHistogram histogram) {
    if (bucket.successes == 0) {
      return new double[] {Double.NaN, Double.NaN, Double.NaN};
    }
    // Percentiles cannot be added: they hold for as long as a bucket is one second.
    if (bucket.percentiles != null && buckets.width() == FIRST_WIDTH_MILLIS) {
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
