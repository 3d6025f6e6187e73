package io.shardmark.driver.results.estimate;

import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The logarithm of a positive figure, and how far it can be trusted. Logarithms, because a ratio is
 * their difference and its interval is then never negative.
 *
 * @param mean of the logarithm
 * @param variance of that mean
 * @param degrees of freedom of the variance
 */
public record LogEstimate(double mean, double variance, double degrees) {
  /** Share of intervals made this way that hold the true value. */
  public static final double CONFIDENCE = 0.95;

  /** A figure without a known spread. */
  public static LogEstimate exact(double value) {
    return new LogEstimate(Math.log(value), Double.NaN, Double.NaN);
  }

  /** The geometric mean of independent measurements, at least two and all positive. */
  public static LogEstimate ofRepetitions(List<Double> values) {
    List<Double> logs = values.stream().map(Math::log).toList();
    double freedom = logs.size() - 1.0;
    double variance = BatchMeans.squares(logs) / freedom / logs.size();
    return new LogEstimate(BatchMeans.mean(logs), variance, freedom);
  }

  /**
   * A figure of one run, with the spread that its parts show: the variance of the mean of the
   * parts, carried over to the logarithm to first order. Parts may be 0, their mean may not.
   */
  public static LogEstimate ofParts(double figure, BatchMeans parts) {
    double mean = parts.mean();
    return new LogEstimate(Math.log(figure), parts.variance() / (mean * mean), parts.degrees());
  }

  /** This over the other: the logarithm of the ratio, with the degrees of freedom of Welch. */
  public LogEstimate over(LogEstimate other) {
    return new LogEstimate(
        mean - other.mean, variance + other.variance, degrees(List.of(this, other)));
  }

  /** The mean of independent estimates: the logarithm of their geometric mean. */
  public static LogEstimate meanOf(List<LogEstimate> estimates) {
    double sum = 0;
    double variances = 0;
    for (LogEstimate estimate : estimates) {
      sum += estimate.mean;
      variances += estimate.variance;
    }
    int count = estimates.size();
    return new LogEstimate(sum / count, variances / count / count, degrees(estimates));
  }

  /** Welch and Satterthwaite: the degrees of freedom of a sum of variances. */
  private static double degrees(List<LogEstimate> estimates) {
    double sum = 0;
    double shares = 0;
    for (LogEstimate estimate : estimates) {
      sum += estimate.variance;
      shares += estimate.variance * estimate.variance / estimate.degrees;
    }
    return sum * sum / shares;
  }

  public double value() {
    return Math.exp(mean);
  }

  /** Empty without a spread, or if nothing varied at all. */
  public Optional<Interval> interval() {
    if (!(variance > 0) || !(degrees > 0)) {
      return Optional.empty();
    }
    double t = TDistribution.of(degrees).inverseSurvivalProbability((1 - CONFIDENCE) / 2);
    double half = t * Math.sqrt(variance);
    return Optional.of(new Interval(Math.exp(mean - half), Math.exp(mean + half)));
  }
}
