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
 * @param parts rates in parts of the run of equal length, as they come out of it, by the name of
 *     the metric; {@link BatchMeans} says how far they can be trusted
 * @param rates intervals of rates by the name of their metric; of none if the run has too few parts
 * @param headlineMillis intervals of percentiles of the headline type's latency, by percentile
 */
public record Certainty(
    Map<String, List<Double>> parts,
    Map<String, Interval> rates,
    SortedMap<Double, Interval> headlineMillis) {
  /** Of a run that is not steady on purpose. */
  static final Certainty NONE = new Certainty(Map.of(), Map.of(), new TreeMap<>());

  /** With fewer parts an interval would be wider than it is worth. */
  public static final int FEWEST_PARTS = 5;

  /** An interval over a larger factor, as of a run that stood still, says nothing. */
  private static final double MOST_WIDTH = 10;

  /** More would say no more of the spread of their mean. */
  private static final int MOST_PARTS = 64;

  public Certainty {
    parts = Map.copyOf(parts);
    rates = Map.copyOf(rates);
  }

  static Certainty of(
      Map<String, List<Double>> parts,
      List<Metric> metrics,
      Map<Double, List<Double>> partsMillis,
      LatencyDistribution due) {
    Map<String, Interval> rates = new HashMap<>();
    for (Metric metric : metrics) {
      interval(metric.value(), parts.getOrDefault(metric.name(), List.of()))
          .ifPresent(interval -> rates.put(metric.name(), interval));
    }
    SortedMap<Double, Interval> millis = new TreeMap<>();
    partsMillis.forEach(
        (percentile, values) ->
            interval(due.count() == 0 ? 0 : due.percentileMillis(percentile), values)
                .ifPresent(interval -> millis.put(percentile, interval)));
    return new Certainty(parts, rates, millis);
  }

  /** Each rate in the parts of a run. */
  static Map<String, List<Double>> parts(Timeline timeline, List<Metric> metrics) {
    int buckets = timeline.buckets();
    if (buckets > 0 && timeline.lastWidthSeconds() < timeline.widthSeconds()) {
      buckets--; // the last one is shorter
    }
    Map<String, List<Double>> rates = new HashMap<>();
    for (Metric metric : metrics) {
      if (metric.rate()) {
        rates.put(metric.name(), rates(timeline, metric, buckets));
      }
    }
    return rates;
  }

  private static List<Double> rates(Timeline timeline, Metric metric, int buckets) {
    int perPart = Math.max(1, (buckets + MOST_PARTS - 1) / MOST_PARTS);
    double periods = perPart * timeline.widthSeconds() / metric.periodSeconds();
    List<Double> whole = timeline.counts(metric).subList(0, buckets / perPart * perPart);
    return Timeline.sums(whole, perPart).stream().map(sum -> sum / periods).toList();
  }

  private static Optional<Interval> interval(double figure, List<Double> parts) {
    return parts.size() < FEWEST_PARTS || !(figure > 0)
        ? Optional.empty()
        : LogEstimate.ofParts(figure, BatchMeans.of(parts))
            .interval()
            .filter(one -> one.high() < MOST_WIDTH * one.low());
  }
}
