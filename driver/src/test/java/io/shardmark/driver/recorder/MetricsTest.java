package io.shardmark.driver.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.MetricRule.Computation;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.SampleSink;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** By hand: 33 successes in 60 s, 20 of them New-Orders, with 31 more than one in a second. */
final class MetricsTest {
  private static final RunStatistics RUN = SampleRun.play(SampleSink.NONE);

  private static double value(MetricRule metric) {
    return Metrics.of(List.of(metric), RUN, Map.of()).get(0).value();
  }

  @Test
  void ratesAreOverTheInterval() {
    assertThat(value(MetricRule.rate("x", "/min", Computation.COMMITS_PER_MINUTE, "NEW_ORDER")))
        .isEqualTo(20.0);
    assertThat(value(MetricRule.rate("x", "/min", Computation.COMMITS_PER_MINUTE))).isEqualTo(33.0);
    assertThat(value(MetricRule.rate("x", "/s", Computation.COMMITS_PER_SECOND)))
        .isEqualTo(33 / 60.0);
    assertThat(
            value(
                MetricRule.rate(
                    "x", "/s", Computation.OPERATIONS_PER_SECOND, "PAYMENT", "NEW_ORDER")))
        .isEqualTo(30 / 60.0);
  }

  /** A New-Order ends in each of seconds 1 to 20, ten payments in second 22, three types later. */
  @Test
  void secondsAreThoseOfCountedTypes() {
    assertThat(value(MetricRule.rate("x", "/s", Computation.BEST_SECOND))).isEqualTo(10.0);
    assertThat(value(MetricRule.rate("x", "/s", Computation.MEDIAN_SECOND))).isZero();
    assertThat(RUN.successesBySecond()).hasSize(60);
    assertThat(RUN.successesBySecond().stream().mapToLong(Long::longValue).sum()).isEqualTo(33);
  }

  @Test
  void onlyRatesPerMinuteAreCountedAsBenchmarkSqlDoes() {
    assertThat(
            Metrics.of(
                List.of(
                    MetricRule.rate("a", "/min", Computation.COMMITS_PER_MINUTE, "NEW_ORDER"),
                    MetricRule.rate("b", "/s", Computation.COMMITS_PER_SECOND)),
                RUN,
                Map.of()))
        .extracting(io.shardmark.driver.results.Metric::asBenchmarkSql)
        .containsExactly(21.0, null);
  }
}
