package io.shardmark.driver.results.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.estimate.Interval;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class CertaintyTest {
  private static Metric rate(String name, double value) {
    return new Metric(name, "/min", value, null, Map.of("NEW_ORDER", 1L), true);
  }

  private static Certainty of(List<Double> tpmC) {
    return Certainty.of(
        Map.of("tpmC", tpmC),
        List.of(rate("tpmC", 100), new Metric("bestSecond", "/s", 9, null, Map.of(), true)),
        Map.of(99.0, tpmC),
        LatencyDistribution.NONE);
  }

  /** Ten parts with deviations of 1, -1, ...: t(9) is 2.262, the mean's deviation sqrt(1/9). */
  @Test
  void intervalIsStudentsWherePartsDoNotDependOnEachOther() {
    List<Double> parts =
        Stream.of(99, 101, 101, 99, 99, 101, 99, 101, 101, 99).map(x -> 1.0 * x).toList();

    Interval interval = Objects.requireNonNull(of(parts).rates().get("tpmC"));

    assertThat(of(parts).rates()).containsOnlyKeys("tpmC");
    assertThat(interval.low()).isBetween(99.2, 99.3);
    assertThat(interval.high()).isBetween(100.7, 100.8);
  }

  @Test
  void partsOfARateHaveTheWeightsOfItsTypes() {
    List<Double> none = List.of(0.0, 0.0, 0.0);
    List<Long> zeros = List.of(0L, 0L, 0L);
    Timeline timeline =
        new Timeline(
            2,
            1,
            List.of(
                new Timeline.TimeLine(
                    "A", List.of(4L, 6L, 8L), zeros, zeros, none, none, none, none),
                new Timeline.TimeLine(
                    "B", List.of(1L, 0L, 0L), zeros, zeros, none, none, none, none)));

    Map<String, List<Double>> parts =
        Certainty.parts(
            timeline,
            List.of(
                new Metric("qps", "/s", 1, null, Map.of("A", 20L, "B", 3L), true),
                new Metric("tpm", "/min", 1, null, Map.of("A", 1L), true),
                new Metric("bestSecond", "/s", 1, null, Map.of(), true)));

    assertThat(parts.get("qps")).as("the last bucket is shorter").containsExactly(41.5, 60.0);
    assertThat(parts.get("tpm")).containsExactly(120.0, 180.0);
    assertThat(parts).doesNotContainKey("bestSecond");
  }

  @Test
  void fewPartsGiveNone() {
    assertThat(of(List.of(99.0, 101.0, 100.0, 98.0)).rates()).isEmpty();
  }

  @Test
  void percentileOfNothingHasNone() {
    assertThat(of(Collections.nCopies(10, 3.0)).headlineMillis()).isEmpty();
  }

  @Test
  void percentilesOfPartsAreThoseOfTheirTime() {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    BucketHistograms histograms = new BucketHistograms(1000);
    for (int i = 0; i < 10_000; i++) {
      long at = random.nextInt(35_000);
      histograms.record(0, at, at < 10_000 ? 10 : at < 20_000 ? 20 : 30);
    }

    assertThat(histograms.percentilesOfParts(0, 99, 35))
        .satisfiesExactly(
            first -> assertThat(first).isBetween(9.9, 10.1),
            second -> assertThat(second).isBetween(19.8, 20.2),
            third -> assertThat(third).isBetween(29.7, 30.3));
    assertThat(histograms.percentilesOfParts(1, 99, 35)).isEmpty();
  }
}
