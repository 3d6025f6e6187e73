package io.shardmark.driver.sweep;

import static io.shardmark.driver.sweep.SweepTable.millis;
import static io.shardmark.driver.sweep.SweepTable.number;

import io.shardmark.driver.judge.Limits;
import io.shardmark.driver.report.Columns;
import io.shardmark.driver.report.Markdown;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.sweep.SearchResult.Hold;
import io.shardmark.driver.sweep.SearchResult.Throughput;
import io.shardmark.driver.sweep.SweepRequest.SearchRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The outcome of a search as lines and Markdown. */
record SearchReport(SearchRequest search, List<SearchResult> results) {

  /** The file for programs. */
  record ReportContent(
      String schema,
      int schemaVersion,
      SearchGoal goal,
      String unit,
      SearchRequest asked,
      List<SearchResult> databases) {}

  ReportContent content() {
    return new ReportContent(
        "shardmark-search", 2, search.goal(), search.goal().unit(), search, results);
  }

  /** For the console. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (SearchResult result : results) {
      lines.add(result.database() + ": " + sentence(result));
      Hold hold = result.hold();
      if (hold != null) {
        lines.add(result.database() + ": " + sentence(hold));
      }
    }
    return lines;
  }

  private String sentence(SearchResult result) {
    if (result.ending() != SearchResult.SearchEnding.FOUND) {
      return result.ending() == SearchResult.SearchEnding.UNFINISHED
          ? "the search did not end"
          : result.remark();
    }
    boolean bound =
        result.path().stream()
            .filter(step -> step.value() == result.value())
            .anyMatch(step -> step.figures() != null && step.figures().driverBound());
    Throughput throughput = result.throughput();
    List<String> metrics = new ArrayList<>();
    throughput.metrics().forEach((name, mean) -> metrics.add(name + " " + number(mean)));
    String found = search.goal().words() + " ";
    if (search.goal().isPeak()) {
      double peak = throughput.metrics().values().stream().findFirst().orElse(0.0);
      found += "%s with %d terminals".formatted(number(peak), result.value());
    } else {
      found += result.value();
    }
    return "%s: %s (mean of %d runs)%s%s"
        .formatted(
            found,
            String.join(", ", metrics),
            throughput.runs(),
            result.remark().isEmpty() ? "" : "; " + result.remark(),
            bound ? "; the driver was the limit in a run, so this is a lower bound" : "");
  }

  private static String sentence(Hold hold) {
    PointFigures figures = hold.figures();
    if (figures == null) {
      return "%d %% of that: the run failed".formatted(hold.percent());
    }
    return "%d %% of that, %d transactions a minute by schedule: %s (%s a minute)%s; limits %s"
        .formatted(
            hold.percent(),
            hold.openLoopTxnsPerMin(),
            hold.held() ? "held" : "NOT held",
            number(figures.perMinute()),
            latencies(figures.latencyMillis()),
            hold.limitFault().isEmpty() ? "met" : "not met: " + hold.limitFault());
  }

  private static String latencies(@Nullable Latency latency) {
    return latency == null
        ? ""
        : LatencyFigure.PERCENTILES.stream()
            .map(figure -> figure.text() + " " + millis(figure, latency))
            .collect(Collectors.joining(", ", "; latency in ms ", ""));
  }

  String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("# Search for the ").append(search.goal().words()).append("\n\n");
    text.append(
        "Limits: 90 % of each type below its response time limit (TPC-C 5.2.5.3) where the"
            + " benchmark has one, and at most "
            + Texts.percent(Limits.MOST_FAILED_SHARE)
            + " of all transactions failed. Latencies are in ms,"
            + " from due to done, of successes.\n\n");
    lines().forEach(line -> text.append("- ").append(line).append('\n'));
    for (SearchResult result : results) {
      text.append("\n## ").append(result.database()).append("\n\n").append(table(result));
    }
    return text.toString();
  }

  /** Every run of the search, then the one that held a share of what it found. */
  private String table(SearchResult result) {
    List<SearchResult.SearchStep> rows = new ArrayList<>(result.path());
    Hold hold = result.hold();
    if (hold != null) {
      rows.add(hold.step(search.goal()));
    }
    Columns<SearchResult.SearchStep> columns =
        new Columns<SearchResult.SearchStep>()
            .number(
                "run",
                step ->
                    result.path().contains(step)
                        ? String.valueOf(rows.indexOf(step) + 1)
                        : search.holdPercent() + " % held")
            .number(search.goal().unit(), step -> String.valueOf(step.value()))
            .text("limits", step -> step.holds() ? "met" : step.why());
    return Markdown.table(
        SweepTable.withFigures(columns, rows, SearchResult.SearchStep::figures)
            .text("results", SearchResult.SearchStep::directory)
            .table("", rows));
  }
}
