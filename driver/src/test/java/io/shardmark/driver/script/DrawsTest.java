package io.shardmark.driver.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToLongFunction;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chi-square tests against the definitions of pgbench's manual; seeds are fixed. */
final class DrawsTest {
  private static final int LOW = -3;
  private static final int HIGH = 16;
  private static final int SIZE = HIGH - LOW + 1;
  private static final int DRAWS = 200_000;
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

  /**
   * @param share of the i-th value, from 0
   */
  private static void assertDistribution(
      ToLongFunction<SplittableRandom> draw, IntToDoubleFunction share) {
    assertDistribution(DRAWS, draw, share);
  }

  private static void assertDistribution(
      int draws, ToLongFunction<SplittableRandom> draw, IntToDoubleFunction share) {
    SplittableRandom random = new SplittableRandom(20_231);
    long[] counts = new long[SIZE];
    for (int i = 0; i < draws; i++) {
      counts[Math.toIntExact(draw.applyAsLong(random)) - LOW]++;
    }
    double chiSquare = 0;
    double rest = 0;
    double restFound = 0;
    int cells = 0;
    for (int i = 0; i < SIZE; i++) {
      double expected = share.applyAsDouble(i) * draws;
      if (expected < 10) {
        rest += expected;
        restFound += counts[i];
      } else {
        chiSquare += Math.pow(counts[i] - expected, 2) / expected;
        cells++;
      }
    }
    if (rest > 0) {
      chiSquare += Math.pow(restFound - rest, 2) / rest;
      cells++;
    }
    assertThat(chiSquare)
        .isLessThan(ChiSquaredDistribution.of(cells - 1.0).inverseSurvivalProbability(0.001));
  }

  @Test
  void uniformDrawsEachValueAsOften() {
    assertDistribution(random -> Draws.uniform(random, LOW, HIGH), i -> 1.0 / SIZE);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 2.5, 10})
  void exponentialIsCutOffAtItsParameter(double parameter) {
    IntToDoubleFunction f = i -> Math.exp(-parameter * i / SIZE) / (1 - Math.exp(-parameter));
    assertDistribution(
        random -> Draws.exponential(random, LOW, HIGH, parameter),
        i -> f.applyAsDouble(i) - f.applyAsDouble(i + 1));
  }

  @ParameterizedTest
  @ValueSource(doubles = {2, 2.5, 5})
  void gaussianIsCutOffAtItsParameter(double parameter) {
    double whole = 2 * NORMAL.cumulativeProbability(parameter) - 1;
    assertDistribution(
        random -> Draws.gaussian(random, LOW, HIGH, parameter),
        i ->
            NORMAL.probability(
                    2 * parameter * (i - SIZE / 2.0) / SIZE,
                    2 * parameter * (i + 1 - SIZE / 2.0) / SIZE)
                / whole);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1.001, 1.07, 1.5, 4})
  void zipfianIsInProportionToThePowerOfTheRank(double parameter) {
    double sum = 0;
    for (int i = 1; i <= SIZE; i++) {
      sum += Math.pow(i, -parameter);
    }
    double whole = sum;
    assertDistribution(
        parameter < 1.01 ? DRAWS / 10 : DRAWS, // each takes some hundred tries
        random -> Draws.zipfian(random, LOW, HIGH, parameter),
        i -> Math.pow(i + 1, -parameter) / whole);
  }

  @Test
  void theWholeRangeIsReachedAndNothingElse() {
    SplittableRandom random = new SplittableRandom(7);
    assertThat(Draws.uniform(random, 5, 5)).isEqualTo(5);
    assertThat(Draws.zipfian(random, 5, 5, 1.5)).isEqualTo(5);
    assertThat(Draws.uniform(random, 0, Long.MAX_VALUE - 1)).isNotNegative();
    assertThatThrownBy(() -> Draws.uniform(random, 2, 1)).hasMessageContaining("is empty");
    assertThatThrownBy(() -> Draws.uniform(random, Long.MIN_VALUE, 1))
        .hasMessageContaining("is too large");
    assertThatThrownBy(() -> Draws.exponential(random, 1, 9, 0)).hasMessageContaining("above 0");
    assertThatThrownBy(() -> Draws.gaussian(random, 1, 9, 1.9)).hasMessageContaining("from 2");
    assertThatThrownBy(() -> Draws.zipfian(random, 1, 9, 1)).hasMessageContaining("from 1.001");
  }

  @Test
  void hashesAreThoseOfTheManual() {
    assertThat(Hashes.murmur2(10, 5432)).isEqualTo(-5817877081768721676L);
    assertThat(Hashes.fnv1a(10, 5432)).isEqualTo(-7793829335365542153L);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 64, 1000, 1025})
  void permuteGivesEachValueOnce(long size) {
    boolean[] found = new boolean[(int) size];
    for (long value = 0; value < size; value++) {
      found[(int) Hashes.permute(value, size, 99)] = true;
    }
    assertThat(found).doesNotContain(false);
    assertThat(Hashes.permute(size + 1, size, 99)).isEqualTo(Hashes.permute(1 % size, size, 99));
    assertThat(Hashes.permute(3, Long.MAX_VALUE, 5)).isNotNegative();
  }
}
