package io.shardmark.driver.results.reader;

import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.estimate.BatchMeans;
import io.shardmark.driver.results.estimate.Interval;
import io.shardmark.driver.results.estimate.LogEstimate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How sure a run's main figures are, by how steady it was. It says nothing of what another run
 * would give.
 *
 * @param parts of the run
 * @param rates intervals of rates by the name of their metric; of none if the run has too few parts
 * @param headlineMillis intervals of percentiles of the headline type's latency, by percentile
 */
public record Certainty(
    Parts parts, Map<String, Interval> rates, SortedMap<Double, Interval> headlineMillis) {
  /** Of a run that is not steady on purpose. */
  static final Certainty NONE = new Certainty(Parts.NONE, Map.of(), new TreeMap<>());

  /** With fewer parts an interval would be wider than it is worth. */
  public static final int FEWEST_PARTS = 5;

  static Certainty of(
      Parts parts,
      List<Metric> metrics,
      Map<Double, List<Double>> partsMillis,
      LatencyDistribution due) {
    Map<String, Interval> rates = new HashMap<>();
    for (Metric metric : metrics) {
      interval(metric.value(), parts.of(metric.name()))
          .ifPresent(interval -> rates.put(metric.name(), interval));
    }
    SortedMap<Double, Interval> millis = new TreeMap<>();
    partsMillis.forEach(
        (percentile, values) ->
            interval(due.count() == 0 ? 0 : due.percentileMillis(percentile), values)
                .ifPresent(interval -> millis.put(percentile, interval)));
    return new Certainty(parts, Map.copyOf(rates), millis);
  }

  private static Optional<Interval> interval(double figure, List<Double> parts) {
    return parts.size() < FEWEST_PARTS || !(figure > 0)
        ? Optional.empty()
        : LogEstimate.ofParts(figure, BatchMeans.of(parts)).interval();
  }
}
