package io.shardmark.driver.compare;

import io.shardmark.driver.judge.Limits;
import java.util.List;
import java.util.Optional;

/**
 * Where a figure of a nightly job was expected, by the runs before it: their median, and around it
 * four times their usual spread. The spread is the median absolute deviation, scaled so that it is
 * the standard deviation of a normal distribution; one bad night does not widen it.
 */
public record Band(double low, double high) {

  private static final double NORMAL_SCALE = 1.4826;

  public enum BandSide {
    BELOW,
    INSIDE,
    ABOVE
  }

  /** The band that values of the runs before make, the latest last; empty with too few of them. */
  static Optional<Band> after(List<Double> before) {
    if (before.size() < Limits.FEWEST_USUAL_RUNS) {
      return Optional.empty();
    }
    List<Double> latest =
        before.subList(Math.max(0, before.size() - Limits.MOST_USUAL_RUNS), before.size());
    double median = median(latest);
    double spread =
        NORMAL_SCALE * median(latest.stream().map(value -> Math.abs(value - median)).toList());
    double half =
        Math.max(Limits.USUAL_SPREADS * spread, Limits.LEAST_USUAL_SHARE * Math.abs(median));
    return Optional.of(new Band(Math.max(0, median - half), median + half));
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /** How far a value is from the middle, as a share of that: 0.25 for a quarter more. */
  public double distance(double value) {
    return value / ((low + high) / 2) - 1;
  }

  BandSide side(double value) {
    return value < low ? BandSide.BELOW : value > high ? BandSide.ABOVE : BandSide.INSIDE;
  }
}
