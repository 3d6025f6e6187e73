package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.LoadFigures;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.StageResult;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.reader.RunData;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What each stage asked of the system and what became of it. */
final class StagesSection {
  private StagesSection() {}

  /** Only of a run in stages. */
  static Optional<Section> of(RunData run) {
    if (run.result().stages().isEmpty()) {
      return Optional.empty();
    }
    RunResult result = run.result();
    List<String> rateNames = new ArrayList<>(List.of("Asked"));
    List<Metric> known =
        result.metrics().stream()
            .filter(metric -> result.stages().get(0).metrics().containsKey(metric.name()))
            .toList();
    known.forEach(metric -> rateNames.add(metric.name()));
    rateNames.addAll(List.of("Due", "Begun", "Done", "Failed", "Backlog"));
    TableBuilder rates =
        new TableBuilder("Transactions").text("Stage").number(rateNames.toArray(String[]::new));
    TableBuilder latencies =
        new TableBuilder("Response times of successes, from due to done, in ms")
            .text("Stage")
            .number("Count", "Mean", "p50", "p90", "p95", "p99", "Max");
    for (int index = 0; index < result.stages().size(); index++) {
      StageResult stage = result.stages().get(index);
      String name = "%d (%s)".formatted(index + 1, stage.stage());
      rates.row(rates(name, stage, known));
      latencies.row(latencies(name, stage));
    }
    return Optional.of(
        new Section(
            "stages",
            "Stages",
            perMinute(known)
                + " A transaction belongs to the stage in"
                + " which it ended; what was due and not done when a stage ended counts there with"
                + " its age.",
            List.of(Block.of(rates.build()), Block.of(latencies.build()))));
  }

  private static String perMinute(List<Metric> metrics) {
    List<String> names = new ArrayList<>(List.of("Asked"));
    metrics.stream()
        .filter(metric -> metric.periodSeconds() > 1)
        .forEach(metric -> names.add(metric.name()));
    return names.size() == 1
        ? "Asked is a rate per minute."
        : String.join(" and ", names).replaceFirst(" and (?=.* and )", ", ")
            + " are rates per minute.";
  }

  private static String[] rates(String name, StageResult stage, List<Metric> metrics) {
    LoadFigures load = stage.load();
    List<String> cells = new ArrayList<>(List.of(name));
    cells.add(load.askedPerMinute() > 0 ? Texts.count(Math.round(load.askedPerMinute())) : "pause");
    for (Metric metric : metrics) {
      double value = stage.metrics().getOrDefault(metric.name(), 0.0);
      cells.add(metric.periodSeconds() > 1 ? Texts.count(Math.round(value)) : Texts.three(value));
    }
    for (long count :
        new long[] {load.due(), load.begun(), load.done(), stage.errors(), load.backlogAtEnd()}) {
      cells.add(Texts.count(count));
    }
    return cells.toArray(String[]::new);
  }

  private static String[] latencies(String name, StageResult stage) {
    Latency millis = stage.latencyMillis();
    List<String> cells =
        new ArrayList<>(List.of(name, Texts.count(millis == null ? 0 : millis.count())));
    for (LatencyFigure figure : LatencyFigure.values()) {
      if (figure != LatencyFigure.P999) {
        cells.add(Columns.millis(millis, figure));
      }
    }
    return cells.toArray(String[]::new);
  }
}
