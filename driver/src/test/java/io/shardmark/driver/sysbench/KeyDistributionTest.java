package io.shardmark.driver.sysbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.KeyCatalog;
import io.shardmark.config.PropertyReader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The quantiles are those of 200,000 draws of sysbench 1.0.20 from 1 to 10,000. */
final class KeyDistributionTest {
  private static final int SIZE = 10_000;
  private static final int DRAWS = 200_000;
  private static final KeyCatalog KEYS =
      new KeyCatalog(Map.of("sysbench-oltp", List.of(SysbenchKey.values())));

  static PropertyReader values(String... lines) {
    return BenchmarkProperties.parse(
            KEYS, Path.of("props"), String.join("\n", lines), Map.of("workload", "sysbench-oltp"))
        .values();
  }

  private static int[] sorted(KeyDistribution keys, int draws) {
    SplittableRandom random = new SplittableRandom(42);
    int[] drawn = new int[draws];
    Arrays.setAll(drawn, i -> keys.next(random));
    Arrays.sort(drawn);
    return drawn;
  }

  @ParameterizedTest
  @CsvSource({
    "special, 3536, 4292, 4988, 5013, 5038, 5710, 6450",
    "gaussian, 3083, 3631, 4431, 4999, 5565, 6370, 6917",
    "uniform, 95, 495, 2501, 5009, 7511, 9496, 9897",
    "pareto, 1, 1, 1, 69, 1269, 6884, 9280"
  })
  void drawsWhatSysbenchDraws(
      String name, int p1, int p5, int p25, int p50, int p75, int p95, int p99) {
    int[] drawn = sorted(KeyDistribution.of(values("randType=" + name), SIZE), DRAWS);
    double[] at = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
    int[] expected = {p1, p5, p25, p50, p75, p95, p99};
    for (int i = 0; i < at.length; i++) {
      // Four standard errors, and as much for the sample of sysbench.
      double share = at[i];
      int spread = (int) (4 * Math.sqrt(share * (1 - share) * DRAWS));
      int position = (int) (share * DRAWS);
      assertThat(expected[i])
          .as("quantile %s of %s", share, name)
          .isBetween(
              drawn[Math.max(0, position - 2 * spread)] - 2,
              drawn[Math.min(DRAWS - 1, position + 2 * spread)] + 2);
    }
    assertThat(drawn[0]).isPositive();
    assertThat(drawn[DRAWS - 1]).isLessThanOrEqualTo(SIZE);
  }

  @Test
  void specialHasTheHotIdsOfSysbench() {
    int[] drawn = sorted(KeyDistribution.of(values(), SIZE), DRAWS);
    long hot = Arrays.stream(drawn).filter(id -> id >= 4976 && id <= 5050).count();
    assertThat(hot / (double) DRAWS).isCloseTo(0.75 + 0.25 * 0.036, within(0.006));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0.5", "0.8", "1", "1.5", "3"})
  void zipfianRanksComeInProportion(String exponent) {
    int size = 50;
    int[] drawn =
        sorted(
            KeyDistribution.of(values("randType=zipfian", "randZipfianExp=" + exponent), size),
            DRAWS);
    double sum = 0;
    for (int rank = 1; rank <= size; rank++) {
      sum += Math.pow(rank, -Double.parseDouble(exponent));
    }
    for (int rank = 1; rank <= size; rank++) {
      double share = Math.pow(rank, -Double.parseDouble(exponent)) / sum;
      int wanted = rank;
      long found = Arrays.stream(drawn).filter(id -> id == wanted).count();
      assertThat((double) found)
          .as("rank %d", rank)
          .isCloseTo(share * DRAWS, within(5 * Math.sqrt(share * DRAWS) + 1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"uniform", "gaussian", "special", "pareto", "zipfian"})
  void stayInATableOfOneRow(String name) {
    int[] drawn = sorted(KeyDistribution.of(values("randType=" + name), 1), 1000);
    assertThat(drawn).containsOnly(1);
  }

  @Test
  void wrongNamesAndShapesAreNamed() {
    assertThatThrownBy(() -> KeyDistribution.of(values("randType=parreto"), SIZE))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("uniform, gaussian, special, pareto or zipfian");
    assertThatThrownBy(() -> KeyDistribution.of(values("randType=pareto", "randParetoH=0"), SIZE))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("above 0 and below 1");
  }
}
