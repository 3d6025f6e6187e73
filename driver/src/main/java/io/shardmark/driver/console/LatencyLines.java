package io.shardmark.driver.console;

import static io.shardmark.driver.console.FinalReport.cut;
import static io.shardmark.driver.results.Texts.text;

import io.shardmark.driver.report.LoadSections;
import io.shardmark.driver.report.TextTable;
import io.shardmark.driver.results.IdleSessions;
import io.shardmark.driver.results.Latencies;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.StageResult;
import io.shardmark.driver.results.StatementResult;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.TypeResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The lines of the final report that say how long things took: stages, sessions during the run,
 * types of transactions, statements.
 */
final class LatencyLines {
  private static final int MOST_STATEMENT_LINES = 10;
  private static final String LATENCY = "%-13s %9s %7s %7s %7s %7s %7s %7s %7s";
  private static final String STAGE = "%-5s %12s %9s %8s %8s %8s %8s %9s %9s %9s";

  private final RunResult run;
  private final List<String> lines = new ArrayList<>();

  LatencyLines(RunResult run) {
    this.run = run;
  }

  List<String> lines() {
    addStages();
    addIdleSessions();
    addLatencies();
    addStatements();
    return lines;
  }

  private void add(String format, Object... arguments) {
    lines.add(text(format, arguments).stripTrailing());
  }

  /** What each rate did. */
  private void addStages() {
    if (run.stages().isEmpty()) {
      return;
    }
    Optional<Metric> all =
        run.metrics().stream()
            .filter(metric -> run.stages().get(0).metrics().containsKey(metric.name()))
            .filter(Metric::countsTransactions)
            .reduce((first, second) -> second);
    String ofAll = all.map(Metric::name).orElse("rate");
    add("");
    add(
        "Stages, rates per %s; response times in ms, from due to done:",
        all.map(Metric::period).orElse("minute"));
    add(STAGE, "", "stage", ofAll, "due", "begun", "done", "backlog", "failed", "p90", "p99");
    int number = 1;
    for (StageResult stage : run.stages()) {
      add(
          STAGE,
          number,
          stage.stage(),
          text("%.0f", stage.metrics().getOrDefault(ofAll, 0.0)),
          stage.load().due(),
          stage.load().begun(),
          stage.load().done(),
          stage.load().backlogAtEnd(),
          stage.errors(),
          figure(stage.latencyMillis(), LatencyFigure.P90),
          figure(stage.latencyMillis(), LatencyFigure.P99));
      number++;
    }
  }

  private void addIdleSessions() {
    IdleSessions idle = run.idleSessions();
    if (idle == null) {
      return;
    }
    add("");
    add("Idle sessions:");
    idle.sentences().forEach(sentence -> add("  %s", sentence));
    TextTable.lines(LoadSections.phases(idle)).forEach(line -> add("  %s", line));
  }

  private void addLatencies() {
    add("");
    add("Response times in ms, from due to done, of successful transactions:");
    add(LATENCY, "type", "count", "mean", "p50", "p90", "p95", "p99", "p99.9", "max");
    for (TypeResult type : run.types()) {
      Optional<Latency> due = type.latencyMillis().of(Scope.ALL, LatencyKind.DUE);
      if (due.isPresent()) {
        addLatency(type.name(), due.get());
      } else if (type.errors() > 0) {
        add("%-13s %9d  %d failed, none succeeded", type.name(), 0, type.errors());
      }
      addDistributed(type.latencyMillis());
    }
    if (run.dueMillis().map(due -> due.isLowerBound(100)).orElse(false)) {
      add(
          ">= is a lower bound: transactions that were not done when the interval ended count with"
              + " their age");
    }
    run.latencyMillis()
        .of(Scope.ALL, LatencyKind.SERVICE)
        .ifPresent(service -> addLatency("all, database", service));
    Boolean met = run.limitsMet();
    if (met != null) {
      String missed =
          run.types().stream()
              .filter(type -> Boolean.FALSE.equals(type.limitMet()))
              .map(type -> text("%s (%.0f s)", type.name(), type.limitMillis() / 1000))
              .collect(Collectors.joining(", "));
      add("Limits of p90: %s", met ? "met" : "MISSED by " + missed);
    }
  }

  /** Those that stayed in one partition and those that did not, where there are both. */
  private void addDistributed(Latencies latencies) {
    Optional<Latency> local = latencies.of(Scope.LOCAL, LatencyKind.DUE);
    Optional<Latency> distributed = latencies.of(Scope.DISTRIBUTED, LatencyKind.DUE);
    if (local.map(Latency::count).orElse(0L) > 0
        && distributed.map(Latency::count).orElse(0L) > 0) {
      addLatency("  local", local.get());
      addLatency("  distributed", distributed.get());
    }
  }

  private void addLatency(String name, Latency figures) {
    List<Object> cells = new ArrayList<>(List.of(name, figures.count()));
    for (LatencyFigure figure : LatencyFigure.values()) {
      cells.add(figure(figures, figure));
    }
    add(LATENCY, cells.toArray());
  }

  private static String figure(@Nullable Latency latency, LatencyFigure figure) {
    return latency == null
        ? "-"
        : (figure.isLowerBound(latency) ? ">=" : "") + Texts.three(figure.of(latency));
  }

  /** Those that took the most time in all; the others are in the result. */
  private void addStatements() {
    if (run.statements().isEmpty()) {
      return;
    }
    add("");
    add("Statements that took the most time, in ms from call to answer:");
    List<StatementResult> shown =
        run.statements().stream()
            .sorted(Comparator.comparingDouble(StatementResult::totalSeconds).reversed())
            .limit(MOST_STATEMENT_LINES)
            .toList();
    TextTable.lines(new LoadSections(run).statements(shown)).forEach(line -> lines.add(cut(line)));
  }
}
