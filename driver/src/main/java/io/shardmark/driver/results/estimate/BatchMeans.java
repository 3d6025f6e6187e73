package io.shardmark.driver.results.estimate;

import java.util.ArrayList;
import java.util.List;

/**
 * How well the mean of a series over time is known, though its neighbours are alike: a checkpoint
 * or a full cache slows down more than one second. Parts that follow each other are put together
 * until they hardly depend on each other; what dependence is left makes the variance larger, as if
 * there were fewer of them. Pure.
 *
 * @param parts the series as it was put together: means of equal lengths of time
 * @param widening times that the variance of the mean is larger than that of so many independent
 *     parts, from 1
 */
public record BatchMeans(List<Double> parts, double widening) {
  /** More parts are not put together: of so few, nobody could say whether they are alike. */
  private static final int FEWEST = 16;

  /** Alike is what is half a standard deviation of chance above none. */
  private static final double ALIKE = 0.5;

  /** One nearer to 1 is not distinguishable from a series that drifts. */
  private static final double MOST_ALIKE = 0.9;

  public BatchMeans {
    parts = List.copyOf(parts);
  }

  /**
   * Puts together what is alike.
   *
   * @param series means of equal lengths of time, in order; at least two
   */
  public static BatchMeans of(List<Double> series) {
    List<Double> parts = series;
    double alike = correlation(parts);
    while (alike > ALIKE / Math.sqrt(parts.size()) && parts.size() / 2 >= FEWEST) {
      parts = pairs(parts);
      alike = correlation(parts);
    }
    double left = Math.min(Math.max(alike, 0), MOST_ALIKE);
    return new BatchMeans(parts, (1 + left) / (1 - left));
  }

  private static List<Double> pairs(List<Double> parts) {
    List<Double> pairs = new ArrayList<>();
    for (int i = 0; i + 1 < parts.size(); i += 2) {
      pairs.add((parts.get(i) + parts.get(i + 1)) / 2);
    }
    return pairs;
  }

  /**
   * Of each with the next one. That of an independent series is 1/n too low in the mean; this is
   * put right.
   */
  static double correlation(List<Double> series) {
    double mean = mean(series);
    double squares = 0;
    double products = 0;
    for (int i = 0; i < series.size(); i++) {
      double own = series.get(i) - mean;
      squares += own * own;
      products += i == 0 ? 0 : own * (series.get(i - 1) - mean);
    }
    return squares > 0 ? products / squares + 1.0 / series.size() : 0;
  }

  double mean() {
    return mean(parts);
  }

  static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }

  /** Of the mean, not of a part. */
  double variance() {
    return widening * squares(parts) / (parts.size() - 1) / parts.size();
  }

  /** Of the distances from the mean, their sum. */
  static double squares(List<Double> values) {
    double mean = mean(values);
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return squares;
  }

  /** Degrees of freedom of that variance: those of as many independent parts as it represents. */
  double degrees() {
    return Math.max(1, parts.size() / widening - 1);
  }
}
