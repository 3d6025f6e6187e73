package io.shardmark.driver.results.reader;

import io.shardmark.driver.results.Metric;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A run cut into parts of equal length, as they come out of it; {@link
 * io.shardmark.driver.results.estimate.BatchMeans} says how far they can be trusted.
 *
 * @param rates in each part, by the name of the metric
 */
public record Parts(Map<String, List<Double>> rates) {
  public static final Parts NONE = new Parts(Map.of());

  /** More would tell no more of the spread of their mean. */
  private static final int MOST = 64;

  public Parts {
    rates = Map.copyOf(rates);
  }

  static Parts of(Timeline timeline, List<Metric> metrics) {
    int buckets = timeline.lines().stream().mapToInt(l -> l.successes().size()).max().orElse(0);
    if (buckets > 0 && timeline.lastWidthSeconds() < timeline.widthSeconds()) {
      buckets--; // the last one is shorter
    }
    Map<String, List<Double>> rates = new HashMap<>();
    for (Metric metric : metrics) {
      if (metric.rate()) {
        rates.put(metric.name(), rates(timeline, metric, buckets));
      }
    }
    return new Parts(rates);
  }

  /** Of the metric with this name; none if it is no rate. */
  public List<Double> of(String metric) {
    return rates.getOrDefault(metric, List.of());
  }

  private static List<Double> rates(Timeline timeline, Metric metric, int buckets) {
    int perPart = Math.max(1, (buckets + MOST - 1) / MOST);
    List<Double> rates = new ArrayList<>();
    double periods = perPart * timeline.widthSeconds() / metric.periodSeconds();
    for (int from = 0; from + perPart <= buckets; from += perPart) {
      rates.add(timeline.count(metric, from, from + perPart) / periods);
    }
    return List.copyOf(rates);
  }
}
