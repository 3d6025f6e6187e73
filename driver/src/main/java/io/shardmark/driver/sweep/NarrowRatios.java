package io.shardmark.driver.sweep;

import io.shardmark.driver.judge.Limits;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.estimate.Interval;
import io.shardmark.driver.results.estimate.LogEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Whether a series knows its ratios well enough: those of the main metric of each database to that
 * of the first one, at each number of terminals. Pure.
 *
 * <p>A series that stopped at the first narrow interval would stop where chance made it narrow:
 * only 93 of 100 such intervals of 95 % held their ratio. Repetitions that follow whatever they say
 * bring that to 94 and more.
 */
record NarrowRatios(SweepRequest request) {
  /** The points that are to be run next; none if it is enough. */
  List<Point> next(List<PointRecord> points) {
    List<Point> pending =
        points.stream()
            .filter(record -> record.state() == PointRecord.PointState.PENDING)
            .map(PointRecord::point)
            .toList();
    if (!pending.isEmpty()) {
      return pending;
    }
    int done = repetitions(points);
    boolean isEnough = isNarrowAfter(points, done - Limits.FURTHER_REPETITIONS);
    return done >= request.repeat() || isEnough ? List.of() : request.points(done + 1);
  }

  /** Whether all intervals were narrow after one of the first repetitions. */
  private boolean isNarrowAfter(List<PointRecord> points, int last) {
    return IntStream.rangeClosed(Limits.FEWEST_REPETITIONS, last)
        .mapToDouble(
            count ->
                widestPercent(
                    points.stream()
                        .filter(record -> record.point().repetition() <= count)
                        .toList()))
        .anyMatch(widest -> widest <= request.untilPercent());
  }

  private static int repetitions(List<PointRecord> points) {
    return points.stream().mapToInt(record -> record.point().repetition()).max().orElse(0);
  }

  /** How far the end of an interval is from its ratio at most; infinite if one is not known. */
  double widestPercent(List<PointRecord> points) {
    double widest = 0;
    String first = request.databases().get(0).name();
    for (int terminals : request.terminals()) {
      List<Double> baseline = values(points, first, terminals);
      for (var database : request.databases().subList(1, request.databases().size())) {
        List<Double> values = values(points, database.name(), terminals);
        widest = Math.max(widest, percent(values, baseline));
      }
    }
    return widest;
  }

  private static List<Double> values(List<PointRecord> points, String database, int terminals) {
    List<Double> values = new ArrayList<>();
    points.stream()
        .filter(record -> record.state() == PointRecord.PointState.DONE)
        .filter(record -> record.point().database().equals(database))
        .filter(record -> record.point().terminals() == terminals)
        .map(PointRecord::figures)
        .filter(Objects::nonNull)
        .forEach(figures -> values.add(figures.main()));
    return values;
  }

  private static double percent(List<Double> values, List<Double> baseline) {
    boolean known =
        values.size() >= Limits.FEWEST_REPETITIONS
            && baseline.size() >= Limits.FEWEST_REPETITIONS
            && values.stream().allMatch(value -> value > 0)
            && baseline.stream().allMatch(value -> value > 0);
    if (!known) {
      return Double.POSITIVE_INFINITY;
    }
    LogEstimate ratio = LogEstimate.ofRepetitions(values).over(LogEstimate.ofRepetitions(baseline));
    return ratio
        .interval()
        .map((Interval interval) -> 100 * (interval.high() / ratio.value() - 1))
        .orElse(0.0); // nothing varied
  }

  /** How it ended, in a line. */
  String sentence(List<PointRecord> points) {
    double widest = widestPercent(points);
    int done = repetitions(points);
    return "%s: the intervals of ratios reach %s from them after %s, asked were %s %%"
        .formatted(
            isNarrowAfter(points, done - Limits.FURTHER_REPETITIONS)
                ? "Narrow enough "
                    + Texts.plural(Limits.FURTHER_REPETITIONS, "repetition", "repetitions")
                    + " ago"
                : "Not narrow enough",
            Double.isInfinite(widest) ? "an unknown way" : Texts.number(widest) + " %",
            Texts.plural(done, "repetition", "repetitions"),
            Texts.number(request.untilPercent()));
  }
}
