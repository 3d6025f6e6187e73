package io.shardmark.driver.recorder;

import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.MetricRule.Computation;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.TypeStatistics;
import io.shardmark.driver.results.Metric;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Computes a benchmark's metrics. Pure. */
final class Metrics {
  private static final double NANOS_PER_SECOND = 1e9;

  private Metrics() {}

  /**
   * Over the measurement interval, in the order of the benchmark.
   *
   * @param observed figures by name; an observed metric that is not among them is left out
   */
  static List<Metric> of(
      List<MetricRule> wanted, RunStatistics statistics, Map<String, Double> observed) {
    return wanted.stream()
        .filter(one -> one.kind() != Computation.OBSERVED || observed.containsKey(one.name()))
        .map(
            one ->
                new Metric(
                    one.name(),
                    one.unit(),
                    value(one, statistics, observed),
                    asBenchmarkSql(one, statistics),
                    weights(one, statistics),
                    one.higherIsBetter()))
        .toList();
  }

  private static Map<String, Long> weights(MetricRule metric, RunStatistics statistics) {
    Map<String, Long> weights = new LinkedHashMap<>();
    for (TypeStatistics type : statistics.types()) {
      long weight = metric.isRate() ? metric.weight(type.type()) : 0;
      if (weight > 0) {
        weights.put(type.type().name(), weight);
      }
    }
    return weights;
  }

  private static double value(
      MetricRule metric, RunStatistics statistics, Map<String, Double> observed) {
    return switch (metric.kind()) {
      case OBSERVED -> observed.getOrDefault(metric.name(), 0.0);
      case COMMITS_PER_MINUTE ->
          statistics.perMinute(count(metric, statistics, TypeStatistics::successes));
      case COMMITS_PER_SECOND, OPERATIONS_PER_SECOND ->
          perSecond(count(metric, statistics, TypeStatistics::successes), statistics);
      case MEDIAN_SECOND -> median(statistics.successesBySecond());
      case BEST_SECOND ->
          statistics.successesBySecond().stream().mapToLong(Long::longValue).max().orElse(0);
    };
  }

  /** BenchmarkSQL has rates per minute alone; to that of all it adds one that never was. */
  private static @Nullable Double asBenchmarkSql(MetricRule metric, RunStatistics statistics) {
    return switch (metric.kind()) {
      case COMMITS_PER_MINUTE ->
          statistics.perMinute(
              count(metric, statistics, TypeStatistics::count) + (metric.ofAll() ? 1 : 0));
      case COMMITS_PER_SECOND, OPERATIONS_PER_SECOND, MEDIAN_SECOND, BEST_SECOND, OBSERVED -> null;
    };
  }

  private static long count(
      MetricRule metric, RunStatistics statistics, ToLongFunction<TypeStatistics> done) {
    long count = 0;
    for (TypeStatistics type : statistics.types()) {
      count += metric.weight(type.type()) * done.applyAsLong(type);
    }
    return count;
  }

  private static double perSecond(long count, RunStatistics statistics) {
    long nanos = statistics.interval().lengthNanos();
    return nanos == 0 ? 0 : count * NANOS_PER_SECOND / nanos;
  }

  private static double median(List<Long> values) {
    List<Long> sorted = values.stream().sorted().toList();
    if (sorted.isEmpty()) {
      return 0;
    }
    long above = sorted.get(sorted.size() / 2);
    long below = sorted.get((sorted.size() - 1) / 2);
    return (above + below) / 2.0;
  }
}
