package io.shardmark.driver.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.shardmark.driver.results.estimate.Interval;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A run of 100 s with 5,000 headline transactions: 3,000 a minute, 180,000 an hour. */
final class CostFigureTest {
  private static RunResult run(Map<String, Object> keys, long transactions) {
    return new MadeRun()
        .told("properties", keys)
        .with(MadeRun.type("NEW_ORDER", transactions, Map.of()))
        .with(
            new RunVerdict(List.of(new Finding(VerdictKind.CLEAN, "", ""))),
            new Metric("tpmC", "/min", 0.6 * transactions, null, Map.of("NEW_ORDER", 1L), true))
        .with(new ServerProcess("server", "a:1", "postgres", 100.0, 50.0))
        .result();
  }

  @Test
  void aPriceIsDividedByTheRateAndItsIntervalTurnedAround() {
    List<CostFigure> costs =
        CostFigure.of(
            run(Map.of("systemPrice", "12000 USD", "pricePerHour", "3.60 USD"), 5000),
            Map.of("tpmC", new Interval(2400, 4000)));

    assertThat(costs)
        .extracting(CostFigure::title)
        .containsExactly(
            "price per tpmC, USD", "price per million NEW_ORDER, USD", "processors per 1,000 tpmC");
    assertThat(costs.get(0).value()).isCloseTo(4.0, within(1e-9));
    assertThat(costs.get(0).interval()).isEqualTo(new Interval(3, 5));
    assertThat(costs.get(1).value()).isCloseTo(20.0, within(1e-9));
    assertThat(costs.get(1).interval()).isEqualTo(new Interval(15, 25));
    assertThat(costs.get(2).value()).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void withoutAPriceThereIsNone() {
    assertThat(CostFigure.of(run(Map.of(), 5000), Map.of()))
        .extracting(CostFigure::name)
        .containsExactly("processors per 1,000 tpmC");
    assertThat(CostFigure.of(run(Map.of("systemPrice", "12000"), 0), Map.of())).isEmpty();
  }

  @Test
  void withoutAnIntervalOfTheRateThereIsNoneOfThePrice() {
    CostFigure cost = CostFigure.of(run(Map.of("systemPrice", "12000"), 5000), Map.of()).get(0);
    assertThat(cost.title()).isEqualTo("price per tpmC");
    assertThat(cost.interval()).isNull();
  }
}
