package io.shardmark.driver.results.estimate;

import java.util.List;
import java.util.OptionalInt;

/**
 * Where a series becomes steady, by the rule MSER-5 (K. P. White, "An effective truncation
 * heuristic for bias reduction in simulation output", Simulation 69(6), 1997; White, Cobb and
 * Spratt, "A comparison of five steady-state truncation heuristics for simulation", WSC 2000):
 * means of five are taken, and those are left out without which the squared error of the mean of
 * the rest is least. A point in the second half says that the series is too short. Pure.
 */
public final class SteadyState {
  /** Values that one batch is the mean of. */
  public static final int BATCH = 5;

  /**
   * Batches that the rest has at least. Of fewer nobody could say whether they rise: a slow drift
   * would end the search.
   */
  static final int FEWEST = 12;

  /** Of two values nothing is known of their spread. */
  private static final int SHORTEST_REST = 3;

  /** Of a rest without a slope, one in twenty has a steeper one by chance. */
  private static final double CHANCE = 1.96;

  /** What doubles make of a sum; no slope. */
  private static final double ROUNDING = 1e-9;

  private SteadyState() {}

  /**
   * The first batch of the steady part; empty if there is none so far.
   *
   * @param batches in order
   */
  public static OptionalInt begin(List<Double> batches) {
    int size = batches.size();
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int from = 0; from <= size - SHORTEST_REST; from++) {
      double length = size - from;
      double error = BatchMeans.squares(batches.subList(from, size)) / (length * length);
      if (error < least) {
        least = error;
        best = from;
      }
    }
    return size - best >= FEWEST && 2 * best <= size && isLevel(batches.subList(best, size))
        ? OptionalInt.of(best)
        : OptionalInt.empty();
  }

  /**
   * Whether chance explains the slope of a straight line through them; nothing done is no level.
   */
  private static boolean isLevel(List<Double> values) {
    double mean = BatchMeans.mean(values);
    double middle = (values.size() - 1) / 2.0;
    double products = 0;
    double distances = 0;
    for (int i = 0; i < values.size(); i++) {
      products += (i - middle) * values.get(i);
      distances += (i - middle) * (i - middle);
    }
    double slope = products / distances;
    double explained = slope * products;
    double rest = Math.max(0, BatchMeans.squares(values) - explained) / (values.size() - 2);
    return mean > 0
        && (Math.abs(slope) * values.size() <= ROUNDING * mean
            || explained <= CHANCE * CHANCE * rest);
  }
}
