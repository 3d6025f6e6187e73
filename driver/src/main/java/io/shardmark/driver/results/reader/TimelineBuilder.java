package io.shardmark.driver.results.reader;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Sums up by type and time. At most {@value #MOST} buckets: when there would be more, each two
 * become one of twice the width.
 */
final class TimelineBuilder {
  static final int MOST = 600;
  private static final long FIRST_WIDTH_MILLIS = 1000;
  private static final List<Double> PERCENTILES = List.of(50.0, 95.0, 99.0);
  private static final List<Double> UNKNOWN = List.of(Double.NaN, Double.NaN, Double.NaN);

  private final Buckets<Bucket> buckets =
      new Buckets<>(FIRST_WIDTH_MILLIS, MOST, Bucket::new, Bucket::add);

  /** What happened to one type in one bucket. */
  static final class Bucket {
    private TypeData.TypeCounts counts = TypeData.TypeCounts.NONE;
    private double sumMillis;

    /** Of a single second; empty if only a histogram knows. */
    private List<Double> percentiles = List.of();

    private void add(Bucket other) {
      counts = counts.plus(other.counts);
      sumMillis += other.sumMillis;
    }

    private double meanMillis() {
      return counts.successes() == 0 ? Double.NaN : sumMillis / counts.successes();
    }
  }

  boolean isEmpty() {
    return buckets.size() == 0;
  }

  /**
   * Adds transactions of one type.
   *
   * @param counts how they ended
   * @param sumMillis of the latencies of successes
   * @param percentiles 50th, 95th and 99th in ms of a second; empty if they are not known
   */
  void add(
      int type,
      long atMillis,
      TypeData.TypeCounts counts,
      double sumMillis,
      List<Double> percentiles) {
    Bucket bucket = buckets.at(type, atMillis);
    bucket.counts = bucket.counts.plus(counts);
    bucket.sumMillis += sumMillis;
    bucket.percentiles = percentiles;
  }

  /** All of one type. */
  TypeData.TypeCounts totals(int type) {
    return buckets.of(type).stream()
        .map(bucket -> bucket.counts)
        .reduce(TypeData.TypeCounts.NONE, TypeData.TypeCounts::plus);
  }

  /**
   * The finished timeline.
   *
   * @param names of the types that are wanted
   * @param histograms percentiles of buckets that have none
   * @param intervalSeconds length of the interval: what ended after it is left out, and its end
   *     decides how wide the last bucket is
   */
  Timeline build(TypeNames names, BucketHistograms histograms, double intervalSeconds) {
    double width = buckets.width() / 1000.0;
    int columns = Math.min(buckets.size(), (int) Math.ceil(intervalSeconds / width - 1e-6));
    double last = columns == 0 ? width : Math.min(width, intervalSeconds - (columns - 1) * width);
    List<Timeline.TimeLine> lines = new ArrayList<>();
    for (int type = 0; type < buckets.lines(); type++) {
      // Shardmark's files have rows of zeros for a type that never occurred, BenchmarkSQL's have
      // none.
      TypeData.TypeCounts all = totals(type);
      if (all.all() + all.retries() > 0) {
        lines.add(line(names.names().get(type), type, columns, histograms));
      }
    }
    return new Timeline(width, last, lines);
  }

  private Timeline.TimeLine line(String name, int type, int columns, BucketHistograms histograms) {
    List<Bucket> line =
        IntStream.range(0, columns)
            .mapToObj(i -> Objects.requireNonNullElseGet(buckets.find(type, i), Bucket::new))
            .toList();
    List<List<Double>> percentiles = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      double middle = (i + 0.5) * buckets.width() / 1000;
      percentiles.add(percentiles(line.get(i), histograms.at(type, middle)));
    }
    return new Timeline.TimeLine(
        name,
        line.stream().map(bucket -> bucket.counts.successes()).toList(),
        line.stream().map(bucket -> bucket.counts.errors()).toList(),
        line.stream().map(bucket -> bucket.counts.retries()).toList(),
        line.stream().map(Bucket::meanMillis).toList(),
        percentiles.stream().map(of -> of.get(0)).toList(),
        percentiles.stream().map(of -> of.get(1)).toList(),
        percentiles.stream().map(of -> of.get(2)).toList());
  }

  private List<Double> percentiles(Bucket bucket, @Nullable Histogram histogram) {
    if (bucket.counts.successes() == 0) {
      return UNKNOWN;
    }
    // Percentiles cannot be added: they hold for as long as a bucket is one second.
    if (!bucket.percentiles.isEmpty() && buckets.width() == FIRST_WIDTH_MILLIS) {
      return bucket.percentiles;
    }
    if (histogram == null || histogram.getTotalCount() == 0) {
      return UNKNOWN;
    }
    return PERCENTILES.stream()
        .map(of -> histogram.getValueAtPercentile(of) / BucketHistograms.UNITS_PER_MILLI)
        .toList();
  }
}
