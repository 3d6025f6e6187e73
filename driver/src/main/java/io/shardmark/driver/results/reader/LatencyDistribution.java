package io.shardmark.driver.results.reader;

import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.Quantile;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/** Latencies as a histogram that can be read and merged and never changes. */
public final class LatencyDistribution {
  /** Nobody has measured anything. */
  public static final LatencyDistribution NONE = new LatencyDistribution(new Histogram(3), 1);

  /** Points of the percentile curve for each factor of ten of 1/(1-p). */
  private static final int POINTS_PER_DECADE = 12;

  private final Histogram histogram;
  private final double unitsPerMilli;

  /**
   * @param histogram taken over: the caller must not change it any more
   * @param unitsPerMilli 1 if its values are milliseconds, 1,000,000 if nanoseconds
   */
  LatencyDistribution(Histogram histogram, double unitsPerMilli) {
    this.histogram = histogram;
    this.unitsPerMilli = unitsPerMilli;
  }

  /** Nothing if there is no histogram. */
  static LatencyDistribution of(@Nullable Histogram histogram, double unitsPerMilli) {
    return histogram == null ? NONE : new LatencyDistribution(histogram, unitsPerMilli);
  }

  public long count() {
    return histogram.getTotalCount();
  }

  /** 0 without samples. */
  public double meanMillis() {
    return count() == 0 ? 0 : histogram.getMean() / unitsPerMilli;
  }

  /** 0 without samples. */
  public double maxMillis() {
    return count() == 0 ? 0 : histogram.getMaxValue() / unitsPerMilli;
  }

  /**
   * @param percentile 0 to 100
   */
  public double percentileMillis(double percentile) {
    return count() == 0 ? 0 : histogram.getValueAtPercentile(percentile) / unitsPerMilli;
  }

  /** The usual figures. */
  public Latency figures() {
    return Latency.of(
        count(),
        meanMillis(),
        percentileMillis(50),
        percentileMillis(90),
        percentileMillis(95),
        percentileMillis(99),
        percentileMillis(99.9),
        maxMillis());
  }

  /**
   * The quantile as R's default defines it; 0 without samples.
   *
   * @param share 0 to 1
   */
  public double quantileType7Millis(double share) {
    return count() == 0 ? 0 : Quantile.type7(histogram, share, 0, Long.MAX_VALUE) / unitsPerMilli;
  }

  /**
   * One point of the percentile curve.
   *
   * @param oneIn 1/(1-p): 10 for the 90th percentile, 1000 for the 99.9th
   */
  public record CurvePoint(double oneIn, double millis) {}

  /** The curve up to the last percentile that one sample decides. */
  public List<CurvePoint> curve() {
    List<CurvePoint> points = new ArrayList<>();
    long count = count();
    if (count == 0) {
      return points;
    }
    double oneIn = 1;
    for (int step = 1; oneIn < count; step++) {
      points.add(new CurvePoint(oneIn, percentileMillis(100 - 100 / oneIn)));
      oneIn = Math.pow(10, (double) step / POINTS_PER_DECADE);
    }
    points.add(new CurvePoint(count, maxMillis()));
    return List.copyOf(points);
  }

  /** Both together; the finer unit is kept. */
  public LatencyDistribution plus(LatencyDistribution other) {
    if (other.count() == 0) {
      return this;
    }
    if (count() == 0) {
      return other;
    }
    if (unitsPerMilli < other.unitsPerMilli) {
      return other.plus(this);
    }
    Histogram sum = histogram.copy();
    sum.setAutoResize(true);
    if (unitsPerMilli == other.unitsPerMilli) {
      sum.add(other.histogram);
    } else {
      double factor = unitsPerMilli / other.unitsPerMilli;
      for (HistogramIterationValue step : other.histogram.recordedValues()) {
        long value = Math.round(step.getValueIteratedTo() * factor);
        sum.recordValueWithCount(value, step.getCountAddedInThisIterationStep());
      }
    }
    return new LatencyDistribution(sum, unitsPerMilli);
  }
}
