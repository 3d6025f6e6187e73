package io.shardmark.driver.sweep;

import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Lines that say where a sweep is and when it will be done. */
final class SweepProgress {
  private final Map<String, Long> plannedSeconds;
  private final Duration settle;
  private final Consumer<String> out;
  private long overheadMillis;
  private int measured;

  /**
   * @param plannedSeconds of a run, by database
   */
  SweepProgress(Map<String, Long> plannedSeconds, Duration settle, Consumer<String> out) {
    this.plannedSeconds = plannedSeconds;
    this.settle = settle;
    this.out = text -> RunConsole.fitted(text).forEach(out);
  }

  /**
   * @param number of this point, from 1
   * @param left the points that are still to be run, this one included
   */
  void begins(Point point, int number, List<Point> left) {
    out.accept(
        "[%d/%d] %s: runs; time left about %s"
            .formatted(number, number + left.size() - 1, point.label(), text(estimate(left))));
  }

  private Duration estimate(List<Point> left) {
    long millis = settle.toMillis() * Math.max(0, left.size() - 1);
    for (Point point : left) {
      millis += plannedSeconds.getOrDefault(point.database(), 0L) * 1000;
      millis += measured == 0 ? 0 : overheadMillis / measured;
    }
    return Duration.ofMillis(millis);
  }

  void ended(PointRecord record, int number, Duration took) {
    measured++;
    overheadMillis +=
        Math.max(
            0, took.toMillis() - plannedSeconds.getOrDefault(record.point().database(), 0L) * 1000);
    out.accept(
        "[%d] %s: %s (%s)".formatted(number, record.point().label(), said(record), text(took)));
  }

  private static String said(PointRecord record) {
    PointRecord.PointOutcome outcome = record.outcome();
    PointFigures figures = record.figures();
    if (outcome == null || figures == null || record.state() == PointRecord.PointState.FAILED) {
      return "FAILED: " + record.why();
    }
    String metric = figures.metrics().keySet().stream().findFirst().orElse("no metric");
    Latency latency = figures.typeMillis();
    return "%s %s%s%s%s; %s"
        .formatted(
            metric,
            SweepTable.number(figures.main()),
            latency == null
                ? ""
                : ", %s p90 %s ms"
                    .formatted(figures.type(), SweepTable.millis(LatencyFigure.P90, latency)),
            outcome.verifyStatus() == null ? "" : ", data verified",
            figures.limitFault().isEmpty() ? "" : ", limits not met: " + figures.limitFault(),
            figures.verdict());
  }

  /** {@code 45 s}, {@code 12 min}, {@code 3 h 5 min}. */
  static String text(Duration duration) {
    long seconds = Math.round(duration.toMillis() / 1000.0);
    if (seconds < 100) {
      return seconds + " s";
    }
    long minutes = Math.round(seconds / 60.0);
    return minutes < 100 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
  }
}
