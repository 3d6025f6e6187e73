package io.shardmark.driver.results.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Against values that were computed apart, the t quantile by integrating the density. */
final class LogEstimateTest {
  private static final LogEstimate BASELINE =
      LogEstimate.ofRepetitions(List.of(100.0, 110.0, 121.0));
  private static final LogEstimate SYSTEM =
      LogEstimate.ofRepetitions(List.of(200.0, 180.0, 210.0, 190.0));

  @Test
  void repetitionsGiveWelchsIntervalOfTheLogarithms() {
    LogEstimate ratio = SYSTEM.over(BASELINE);
    assertThat(ratio.value()).isCloseTo(1.769808040990, within(1e-9));
    assertThat(ratio.degrees()).isCloseTo(3.416813197053, within(1e-9));
    Interval interval = ratio.interval().orElseThrow();
    assertThat(interval.low()).isCloseTo(1.461998965798, within(1e-6));
    assertThat(interval.high()).isCloseTo(2.142423199489, within(1e-6));
  }

  @Test
  void aRatioTurnedRoundHasItsIntervalTurnedRound() {
    Interval forth = SYSTEM.over(BASELINE).interval().orElseThrow();
    Interval back = BASELINE.over(SYSTEM).interval().orElseThrow();
    assertThat(back.low()).isCloseTo(1 / forth.high(), within(1e-12));
    assertThat(back.high()).isCloseTo(1 / forth.low(), within(1e-12));
  }

  @Test
  void partsGiveTheSpreadAndTheWholeRunGivesTheFigure() {
    LogEstimate baseline =
        ofParts(100, List.of(95.0, 100.0, 105.0, 100.0, 100.0, 98.0, 102.0, 100.0));
    LogEstimate system = ofParts(50, List.of(50.0, 52.0, 48.0, 50.0, 51.0, 49.0));
    assertThat(baseline.variance()).isCloseTo(1.0357142857e-4, within(1e-12));
    LogEstimate ratio = system.over(baseline);
    assertThat(ratio.value()).isCloseTo(0.5, within(1e-12));
    assertThat(ratio.degrees()).isCloseTo(11.030655853820, within(1e-9));
    Interval interval = ratio.interval().orElseThrow();
    assertThat(interval.low()).isCloseTo(0.483350785754, within(1e-8));
    assertThat(interval.high()).isCloseTo(0.517222703196, within(1e-8));
  }

  private static LogEstimate ofParts(double figure, List<Double> independent) {
    return LogEstimate.ofParts(figure, new BatchMeans(independent, 1));
  }

  @Test
  void partsMayBeZero() {
    LogEstimate stalled = ofParts(10, List.of(20.0, 0.0, 20.0, 0.0, 10.0));
    assertThat(stalled.interval()).isPresent();
  }

  @Test
  void theGeometricMeanIsTighterThanItsPoints() {
    LogEstimate point = SYSTEM.over(BASELINE);
    LogEstimate mean = LogEstimate.meanOf(List.of(point, point, point, point));
    assertThat(mean.value()).isCloseTo(point.value(), within(1e-12));
    assertThat(mean.variance()).isCloseTo(point.variance() / 4, within(1e-15));
    assertThat(mean.degrees()).isCloseTo(4 * point.degrees(), within(1e-9));
    LogEstimate two = LogEstimate.meanOf(List.of(LogEstimate.exact(2), LogEstimate.exact(8)));
    assertThat(two.value()).isCloseTo(4, within(1e-12));
  }

  @Test
  void withoutSpreadThereIsNoInterval() {
    assertThat(LogEstimate.exact(2).interval()).isEmpty();
    LogEstimate same = LogEstimate.ofRepetitions(List.of(5.0, 5.0));
    assertThat(same.over(same).interval()).isEmpty();
    assertThat(SYSTEM.over(LogEstimate.exact(2)).interval()).isEmpty();
  }
}
