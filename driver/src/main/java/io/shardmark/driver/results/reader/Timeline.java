package io.shardmark.driver.results.reader;

import io.shardmark.driver.results.Metric;
import java.util.List;
import java.util.Map;

/**
 * Figures by type over time, in buckets of equal width; the first begins with the interval.
 *
 * @param widthSeconds of a bucket
 * @param lastWidthSeconds of the last one, which may be shorter
 * @param lines a line for each type
 */
public record Timeline(double widthSeconds, double lastWidthSeconds, List<Line> lines) {
  static final Timeline NONE = new Timeline(1, 1, List.of());

  public Timeline {
    lines = List.copyOf(lines);
  }

  /** What a rate counts in the buckets {@code from} to before {@code to}. */
  public long count(Metric rate, int from, int to) {
    return count(rate.weights(), from, to);
  }

  /** Successes in these buckets, each of them as often as its type's weight says. */
  public long count(Map<String, Long> weights, int from, int to) {
    long sum = 0;
    for (Line line : lines) {
      long weight = weights.getOrDefault(line.type(), 0L);
      for (int i = from; weight > 0 && i < to; i++) {
        sum += weight * line.successes().get(i);
      }
    }
    return sum;
  }

  /**
   * One type. All lists have one element for each bucket.
   *
   * @param successes transactions that ended well
   * @param errors failed ones
   * @param retries how often some were tried again
   * @param mean latency in ms; NaN for a bucket without successes, as in the next ones
   */
  public record Line(
      String type,
      List<Long> successes,
      List<Long> errors,
      List<Long> retries,
      List<Double> mean,
      List<Double> p50,
      List<Double> p95,
      List<Double> p99) {
    public Line {
      successes = List.copyOf(successes);
      errors = List.copyOf(errors);
      retries = List.copyOf(retries);
      mean = List.copyOf(mean);
      p50 = List.copyOf(p50);
      p95 = List.copyOf(p95);
      p99 = List.copyOf(p99);
    }
  }
}
