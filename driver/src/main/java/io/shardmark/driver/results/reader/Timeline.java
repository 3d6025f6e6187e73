package io.shardmark.driver.results.reader;

import io.shardmark.driver.results.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Figures by type over time, in buckets of equal width; the first begins with the interval.
 *
 * @param widthSeconds of a bucket
 * @param lastWidthSeconds of the last one, which may be shorter
 * @param lines a line for each type
 */
public record Timeline(double widthSeconds, double lastWidthSeconds, List<TimeLine> lines) {
  static final Timeline NONE = new Timeline(1, 1, List.of());

  public Timeline {
    lines = List.copyOf(lines);
  }

  /** How many buckets there are. */
  public int buckets() {
    return lines.isEmpty() ? 0 : lines.get(0).successes().size();
  }

  /** The time that they cover. */
  public double seconds() {
    return lines.isEmpty() ? 0 : (buckets() - 1) * widthSeconds + lastWidthSeconds;
  }

  /** A figure of each bucket. */
  public <T> List<T> each(IntFunction<T> ofBucket) {
    return IntStream.range(0, buckets()).mapToObj(ofBucket).toList();
  }

  /** What a rate counts in each bucket: successes, as often as their type's weight says. */
  public List<Double> counts(Metric rate) {
    return each(
        i ->
            lines.stream()
                .mapToDouble(
                    line -> rate.weights().getOrDefault(line.type(), 0L) * line.successes().get(i))
                .sum());
  }

  /** Sums of so many neighbours each; the last may be of fewer. */
  public static List<Double> sums(List<? extends Number> buckets, int together) {
    List<Double> sums = new ArrayList<>();
    for (int from = 0; from < buckets.size(); from += together) {
      sums.add(
          buckets.subList(from, Math.min(buckets.size(), from + together)).stream()
              .mapToDouble(Number::doubleValue)
              .sum());
    }
    return sums;
  }

  /**
   * Rates of what was counted in parts of a run; NaN where no time is left.
   *
   * @param periodSeconds for so many seconds
   * @param widthSeconds of a part
   * @param coveredSeconds when the last one ends, which may be shorter
   */
  public static List<Double> rates(
      List<? extends Number> counts,
      double periodSeconds,
      double widthSeconds,
      double coveredSeconds) {
    List<Double> rates = new ArrayList<>();
    for (Number count : counts) {
      double width = Math.min(widthSeconds, coveredSeconds - rates.size() * widthSeconds);
      rates.add(width <= 0 ? Double.NaN : periodSeconds * count.doubleValue() / width);
    }
    return rates;
  }

  /**
   * One type. All lists have one element for each bucket.
   *
   * @param successes transactions that ended well
   * @param errors failed ones
   * @param retries how often some were tried again
   * @param mean latency in ms; NaN for a bucket without successes, as in the next ones
   */
  public record TimeLine(
      String type,
      List<Long> successes,
      List<Long> errors,
      List<Long> retries,
      List<Double> mean,
      List<Double> p50,
      List<Double> p95,
      List<Double> p99) {
    public TimeLine {
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
