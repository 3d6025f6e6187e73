package io.shardmark.driver.results.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;
import org.junit.jupiter.api.Test;

/** Against series whose dependence is known. */
final class BatchMeansTest {
  private static final int SERIES = 400;

  /** Each value is this share of the one before and chance; mean 0, variance 1. */
  private static List<Double> series(Random random, int length, double share) {
    List<Double> series = new ArrayList<>();
    double value = random.nextGaussian();
    for (int i = 0; i < length; i++) {
      series.add(value);
      value = share * value + Math.sqrt(1 - share * share) * random.nextGaussian();
    }
    return series;
  }

  /** The share of 95 % intervals that hold the true mean. */
  private static double covered(int length, double share) {
    Random random = new Random(length + Math.round(1000 * share));
    int held = 0;
    for (int i = 0; i < SERIES; i++) {
      BatchMeans means = BatchMeans.of(series(random, length, share));
      double t = TDistribution.of(means.degrees()).inverseSurvivalProbability(0.025);
      held += Math.abs(means.mean()) <= t * Math.sqrt(means.variance()) ? 1 : 0;
    }
    return (double) held / SERIES;
  }

  @Test
  void intervalsHoldTheMeanOfSeriesWhoseNeighboursAreAlike() {
    assertThat(covered(60, 0)).isGreaterThan(0.93);
    assertThat(covered(60, 0.5)).isGreaterThan(0.91);
    assertThat(covered(60, 0.8)).isGreaterThan(0.89);
    // Without regard to it this would be 0.37.
    assertThat(covered(64, 0.9)).isGreaterThan(0.85);
  }

  /** Independent parts stay about as they are: the interval is not wider for nothing. */
  @Test
  void independentPartsAreWidenedLittle() {
    Random random = new Random(3);
    double widening =
        IntStream.range(0, SERIES)
            .mapToDouble(i -> BatchMeans.of(series(random, 60, 0)).widening())
            .average()
            .orElseThrow();
    assertThat(widening).isBetween(1.0, 1.2);
    assertThat(BatchMeans.of(series(new Random(4), 60, 0)).parts()).hasSizeGreaterThan(29);
  }

  @Test
  void alikeNeighboursArePutTogether() {
    List<Double> steps = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      steps.add(i / 2 % 2 == 0 ? 10.0 : 30.0); // 10 10 30 30 ...
    }
    BatchMeans means = BatchMeans.of(steps);

    // Each with the next: half of them alike, half opposite, one more alike, and 1/64.
    assertThat(BatchMeans.correlation(steps)).isCloseTo(1.0 / 64 + 1.0 / 64, within(1e-12));
    assertThat(means.parts()).hasSize(64);

    List<Double> slow = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      slow.add(i / 4 % 2 == 0 ? 10.0 : 30.0); // four of each
    }
    assertThat(BatchMeans.of(slow).parts()).hasSize(32);
    assertThat(BatchMeans.of(slow).mean()).isEqualTo(20);
  }

  /** Two runs of which one is slower are one long step: two figures, not many. */
  @Test
  void aStepLeavesNextToNoFreedom() {
    List<Double> step = new ArrayList<>();
    IntStream.range(0, 60).forEach(i -> step.add(i < 30 ? 100.0 : 200.0));
    BatchMeans means = BatchMeans.of(step);
    assertThat(means.widening()).isCloseTo(19, within(5.0));
    assertThat(means.degrees()).isEqualTo(1);
  }

  @Test
  void whatNeverVariesHasNoVariance() {
    BatchMeans means = BatchMeans.of(List.of(5.0, 5.0, 5.0, 5.0, 5.0));
    assertThat(means.variance()).isZero();
    assertThat(means.widening()).isEqualTo(1);
  }
}
