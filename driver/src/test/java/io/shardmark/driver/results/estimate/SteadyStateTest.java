package io.shardmark.driver.results.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SteadyStateTest {
  /** How long 95 of 100 noisy series take at most, with room; of an eighth of an hour. */
  private static final int SOON = 36;

  private static final int LONG = 90;

  private final Random random = new Random(20261128);

  private static List<Double> series(int batches, IntToDoubleFunction value) {
    return IntStream.range(0, batches).mapToObj(value::applyAsDouble).toList();
  }

  private double noise(double deviation) {
    return deviation * random.nextGaussian();
  }

  /** The number of batches after which a series is found steady; 0 if it never is. */
  private static int found(List<Double> series) {
    return IntStream.rangeClosed(1, series.size())
        .filter(length -> SteadyState.begin(series.subList(0, length)).isPresent())
        .findFirst()
        .orElse(0);
  }

  @Test
  void aConstantIsSteadyFromItsBeginning() {
    assertThat(SteadyState.begin(series(SteadyState.FEWEST, i -> 100))).hasValue(0);
    assertThat(SteadyState.begin(series(SteadyState.FEWEST - 1, i -> 100))).isEmpty();
  }

  @Test
  void nothingDoneIsNotSteady() {
    assertThat(found(series(LONG, i -> 0))).isZero();
  }

  @Test
  void aRampIsLeftOutWhole() {
    List<Double> ramp = series(40, i -> 100 * Math.min(1, i / 12.0) + noise(2));
    assertThat(found(ramp)).isBetween(12 + SteadyState.FEWEST - 2, 40);
    assertThat(SteadyState.begin(ramp).orElseThrow()).isBetween(11, 16);
  }

  @Test
  void theFirstOfTwoLevelsIsLeftOut() {
    assertThat(SteadyState.begin(series(24, i -> i < 8 ? 50 : 100))).hasValue(8);
    assertThat(SteadyState.begin(series(24, i -> (i < 8 ? 50 : 100) + noise(2))).orElseThrow())
        .isBetween(8, 12);
    assertThat(SteadyState.begin(series(12, i -> i < 8 ? 50 : 100)))
        .as("the second level is too short to be the steady one")
        .isEqualTo(OptionalInt.empty());
  }

  @Test
  void aDriftIsNeverSteady() {
    assertThat(found(series(LONG, i -> 100 + i))).isZero();
    assertThat(found(series(LONG, i -> 1000 - 2 * i))).isZero();
    assertThat(found(series(LONG, i -> 100 + i + noise(2)))).isZero();
  }

  @Test
  void noiseAndSpikesAreSteadySoon() {
    List<Integer> found =
        IntStream.range(0, 200)
            .map(run -> found(series(LONG, i -> 100 + noise(10))))
            .sorted()
            .boxed()
            .toList();
    assertThat(found).doesNotContain(0);
    assertThat(found.get(189)).isLessThanOrEqualTo(SOON);
    assertThat(found(series(SOON, i -> (i % 6 == 1 ? 80 : 100) + noise(2)))).isPositive();
  }
}
