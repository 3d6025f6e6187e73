package io.shardmark.driver.report.html;

import io.shardmark.driver.report.RunData;
import io.shardmark.driver.report.StageRow;
import io.shardmark.driver.report.html.Page.Block;
import io.shardmark.driver.report.html.Page.Section;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What each stage asked of the system and what became of it. */
final class StagesSection {
  private StagesSection() {}

  /** Only of a run in stages. */
  static Optional<Section> of(RunData run) {
    if (run.stages().isEmpty()) {
      return Optional.empty();
    }
    TableBuilder rates =
        new TableBuilder("Transactions")
            .text("Stage")
            .number("Asked", "tpmTotal", "tpmC", "Due", "Begun", "Done", "Failed", "Backlog");
    TableBuilder latencies =
        new TableBuilder("Response times of successes, from due to done, in ms")
            .text("Stage")
            .number("Count", "Mean", "p50", "p90", "p95", "p99", "Max");
    for (int index = 0; index < run.stages().size(); index++) {
      StageRow stage = run.stages().get(index);
      String name = "%d (%s)".formatted(index + 1, stage.stage());
      Map<String, Double> load = stage.load();
      rates.row(
          name,
          load.containsKey("askedPerMinute") ? count(load, "askedPerMinute") : "pause",
          count(stage.figures(), "tpmTotal"),
          count(stage.figures(), "tpmC"),
          count(load, "due"),
          count(load, "begun"),
          count(load, "done"),
          count(stage.figures(), "errors"),
          count(load, "backlogAtEnd"));
      Map<String, Double> millis = stage.latencyMillis();
      latencies.row(
          name,
          count(millis, "count"),
          millis(millis, "mean", 100),
          millis(millis, "p50", 50),
          millis(millis, "p90", 90),
          millis(millis, "p95", 95),
          millis(millis, "p99", 99),
          millis(millis, "max", 100));
    }
    return Optional.of(
        new Section(
            "stages",
            "Stages",
            "Asked, tpmTotal and tpmC are rates per minute. A transaction belongs to the stage in"
                + " which it ended; what was due and not done when a stage ended counts there with"
                + " its age.",
            List.of(Block.of(rates.build()), Block.of(latencies.build()))));
  }

  private static String count(Map<String, Double> figures, String name) {
    return Texts.count(Math.round(figures.getOrDefault(name, 0.0)));
  }

  /**
   * @param percentile from where on it is only a lower bound if a lower one is; 100 for figures
   *     that any transaction can raise
   */
  private static String millis(Map<String, Double> figures, String name, double percentile) {
    Double figure = figures.get(name);
    if (figure == null) {
      return Texts.NONE;
    }
    boolean lowerBound = figures.getOrDefault("lowerBoundFrom", 101.0) <= percentile;
    return (lowerBound ? "≥ " : "") + Texts.three(figure);
  }
}
