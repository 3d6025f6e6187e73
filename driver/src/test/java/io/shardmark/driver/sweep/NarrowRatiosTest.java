package io.shardmark.driver.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.results.estimate.Interval;
import io.shardmark.driver.results.estimate.LogEstimate;
import io.shardmark.driver.sweep.SweepRequest.SweepDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class NarrowRatiosTest {
  private static SweepRequest request(double percent, int repeat) {
    return request(percent, repeat, List.of(5, 10));
  }

  private static SweepRequest request(double percent, int repeat, List<Integer> terminals) {
    return new SweepRequest(
        List.of(
            new SweepDatabase("a", "props.a", Map.of(), "", Map.of()),
            new SweepDatabase("b", "props.b", Map.of(), "", Map.of())),
        terminals,
        repeat,
        0,
        BuildMode.NEVER,
        false,
        Map.of(),
        null,
        percent);
  }

  private static PointRecord done(Point point, double tpmC) {
    Map<String, Double> rates = Map.of("tpmC", tpmC);
    PointFigures figures =
        new PointFigures(
            "completed", rates, tpmC, 1, 0, "New-Order", null, null, List.of(), "", false);
    return PointRecord.pending(point)
        .begun()
        .ended(new PointRecord.PointOutcome(0, 0, "", "", "", figures));
  }

  /** How many repetitions it takes where runs differ by chance so much. */
  private static int repetitions(SweepRequest request, double spread) {
    return series(request, spread, new Random(5)).size() / 4;
  }

  private static List<PointRecord> series(SweepRequest request, double spread, Random random) {
    NarrowRatios ratios = new NarrowRatios(request);
    List<PointRecord> records = new ArrayList<>();
    for (Point point : request.points()) {
      records.add(PointRecord.pending(point));
    }
    List<Point> next = ratios.next(records);
    while (!next.isEmpty()) {
      records.removeIf(record -> record.state() == PointRecord.PointState.PENDING);
      next.forEach(
          point -> records.add(done(point, 1000 * Math.exp(spread * random.nextGaussian()))));
      next = ratios.next(records);
    }
    return records;
  }

  private static LogEstimate figure(List<PointRecord> points, String database) {
    return LogEstimate.ofRepetitions(
        points.stream()
            .filter(record -> record.point().database().equals(database))
            .filter(record -> record.point().terminals() == 5)
            .map(record -> Objects.requireNonNull(record.figures()).main())
            .toList());
  }

  /** The rule of when to stop must not make intervals that claim a difference more often. */
  @Test
  void intervalsAreThoseOfNinetyFourInAHundredAtLeast() {
    Random random = new Random(17);
    int series = 1500;
    int holding = 0;
    for (int i = 0; i < series; i++) {
      List<PointRecord> points = series(request(2, 20, List.of(5)), 0.02, random);
      Interval ratio = figure(points, "b").over(figure(points, "a")).interval().orElseThrow();
      holding += ratio.low() <= 1 && ratio.high() >= 1 ? 1 : 0;
    }
    assertThat(holding / (double) series).isBetween(0.94, 0.96);
  }

  @Test
  void quietSystemsNeedFiveRepetitions() {
    assertThat(repetitions(request(2, 20), 0.0001)).isEqualTo(5);
    assertThat(repetitions(request(2, 20), 0)).isEqualTo(5);
    assertThat(repetitions(request(2, 4), 0)).isEqualTo(4);
  }

  @Test
  void noisyOnesNeedMoreAndNoMoreThanAreAllowed() {
    assertThat(repetitions(request(2, 40), 0.02)).isBetween(8, 17);
    assertThat(repetitions(request(2, 7), 0.3)).isEqualTo(7);
  }

  @Test
  void whatIsPlannedComesFirst() {
    SweepRequest request = request(2, 20);
    assertThat(request.points()).hasSize(12);
    List<PointRecord> pending = request.points().stream().map(PointRecord::pending).toList();
    assertThat(new NarrowRatios(request).next(pending)).isEqualTo(request.points());
  }

  @Test
  void aDatabaseWithoutFiguresIsNeverKnown() {
    SweepRequest request = request(2, 4);
    List<PointRecord> onlyFirst = new ArrayList<>();
    for (Point point : request.points()) {
      onlyFirst.add(
          point.database().equals("a")
              ? done(point, 1000)
              : PointRecord.pending(point)
                  .begun()
                  .ended(new PointRecord.PointOutcome(1, null, "", "", "no", null)));
    }
    NarrowRatios ratios = new NarrowRatios(request);
    assertThat(ratios.next(onlyFirst)).isEqualTo(request.points(4));
    assertThat(ratios.sentence(onlyFirst))
        .isEqualTo(
            "Not narrow enough: the intervals of ratios reach an unknown way from them after 3"
                + " repetitions, asked were 2 %");
  }
}
