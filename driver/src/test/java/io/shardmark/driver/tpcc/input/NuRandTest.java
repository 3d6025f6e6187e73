package io.shardmark.driver.tpcc.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.loader.tpcc.LastName;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/** Clause 2.1.6. */
final class NuRandTest {
  private static final int DRAWS = 1_000_000;
  private static final NuRand NU_RAND = new NuRand(100, 259, 7911);

  @Test
  void clause2161AllowsOnlyCertainDistancesBetweenLoadAndRun() {
    int allowed = 0;
    for (int delta = 0; delta <= 255; delta++) {
      boolean expected = delta >= 65 && delta <= 119 && delta != 96 && delta != 112;
      assertThat(NuRand.isAllowedDelta(delta)).as("delta %d", delta).isEqualTo(expected);
      allowed += expected ? 1 : 0;
    }
    assertThat(allowed).isEqualTo(53);
  }

  @Test
  void clause2161HoldsForEveryConstantOfALoad() {
    SplittableRandom random = new SplittableRandom(7);
    for (int load = 0; load <= 255; load++) {
      NuRand run = NuRand.drawForRun(random, load);
      assertThat(NuRand.isAllowedDelta(Math.abs(run.cLast() - load))).isTrue();
      assertThat(run.cLast()).isBetween(0, 255);
      assertThat(run.cCustomer()).isBetween(0, 1023);
      assertThat(run.cItem()).isBetween(0, 8191);
    }
  }

  /** {@code (((random(0, A) | random(x, y)) + C) % (y - x + 1)) + x}, computed in full. */
  private static double[] exactShares(int a, int c, int x, int y) {
    int size = y - x + 1;
    double[] shares = new double[y + 1];
    for (int first = 0; first <= a; first++) {
      for (int second = x; second <= y; second++) {
        shares[((first | second) + c) % size + x] += 1.0 / ((a + 1.0) * size);
      }
    }
    return shares;
  }

  private static void assertFollows(
      double[] expected, int low, ToIntFunction<SplittableRandom> draw) {
    SplittableRandom random = new SplittableRandom(20_261_120);
    int[] counts = new int[expected.length];
    for (int index = 0; index < DRAWS; index++) {
      counts[draw.applyAsInt(random)]++;
    }
    for (int value = 0; value < expected.length; value++) {
      double mean = expected[value] * DRAWS;
      // Six standard deviations: one seed in a million misses it.
      assertThat((double) counts[value])
          .as("value %d", value)
          .isBetween(mean - 6 * Math.sqrt(mean) - 1, mean + 6 * Math.sqrt(mean) + 1);
      if (value < low) {
        assertThat(counts[value]).isZero();
      }
    }
  }

  @Test
  void lastNamesFollowTheFormula() {
    assertFollows(exactShares(255, 100, 0, 999), 0, NU_RAND::lastName);
  }

  @Test
  void customersFollowTheFormula() {
    assertFollows(exactShares(1023, 259, 1, 3000), 1, NU_RAND::customer);
  }

  @Test
  void itemsStayInTheirRangeAndReachBothEnds() {
    SplittableRandom random = new SplittableRandom(20_261_120);
    int lowest = Integer.MAX_VALUE;
    int highest = 0;
    for (int index = 0; index < 3 * DRAWS; index++) {
      int item = NU_RAND.item(random);
      lowest = Math.min(lowest, item);
      highest = Math.max(highest, item);
    }
    assertThat(lowest).isBetween(1, 20);
    assertThat(highest).isBetween(99_980, 100_000);
  }

  @Test
  void clause4323MakesNamesOfThreeSyllables() {
    assertThat(LastName.of(0)).isEqualTo("BARBARBAR");
    assertThat(LastName.of(371)).isEqualTo("PRICALLYOUGHT");
    assertThat(LastName.of(999)).isEqualTo("EINGEINGEING");
  }
}
