package io.shardmark.driver.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.shardmark.driver.sweep.SearchResult.Ending;
import io.shardmark.driver.sweep.SearchResult.Hold;
import io.shardmark.driver.sweep.SearchResult.Step;
import io.shardmark.driver.sweep.SweepRequest.SearchRequest;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/** The outcome of a search as lines, JSON and Markdown. */
final class SearchReport {
  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(
              SerializationFeature.INDENT_OUTPUT, SerializationFeature.WRITE_ENUMS_USING_TO_STRING);

  private final SearchRequest search;
  private final List<SearchResult> results;

  SearchReport(SearchRequest search, List<SearchResult> results) {
    this.search = search;
    this.results = List.copyOf(results);
  }

  /** Members of the file. */
  private record Content(
      String schema,
      int schemaVersion,
      SearchGoal goal,
      String unit,
      SearchRequest asked,
      List<SearchResult> databases) {}

  String json() {
    try {
      return MAPPER.writeValueAsString(
              new Content(
                  "shardmark-search", 1, search.goal(), search.goal().unit(), search, results))
          + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e); // records of plain values can always be written
    }
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
    if (result.ending() != Ending.FOUND) {
      return switch (result.ending()) {
        case NONE_HOLDS, FAILED -> result.remark();
        default -> "the search did not end";
      };
    }
    String bound =
        result.path().stream()
                .filter(step -> step.value() == result.value())
                .anyMatch(step -> step.figures() != null && step.figures().driverBound())
            ? "; the driver was the limit in a run, so this is a lower bound"
            : "";
    String found =
        search.goal().isPeak()
            ? "%s %s with %d terminals"
                .formatted(
                    search.goal().words(),
                    number(result.throughput().metric().value()),
                    result.value())
            : "%s %d".formatted(search.goal().words(), result.value());
    FigureNames names = names(result);
    return "%s: %s %s, %s %s (mean of %d runs)%s%s"
        .formatted(
            found,
            names.metric(),
            number(result.throughput().metric().value()),
            names.perMinute(),
            number(result.throughput().tpmTotal()),
            result.throughput().runs(),
            result.remark().isEmpty() ? "" : "; " + result.remark(),
            bound);
  }

  private static String sentence(Hold hold) {
    PointFigures figures = hold.figures();
    if (figures == null) {
      return "%d %% of that: the run failed".formatted(hold.percent());
    }
    PointFigures.Percentiles latency = figures.latency();
    return "%d %% of that, %d transactions a minute by schedule: %s (%s %s); latency in ms p50 %s, p90 %s, p95 %s, p99 %s, p99.9 %s, max %s; limits %s"
        .formatted(
            hold.percent(),
            hold.openLoopTxnsPerMin(),
            hold.held() ? "held" : "NOT held",
            FigureNames.of(figures).perMinute(),
            number(figures.tpmTotal()),
            millis(latency.p50()),
            millis(latency.p90()),
            millis(latency.p95()),
            millis(latency.p99()),
            millis(latency.p999()),
            millis(latency.max()),
            hold.limitFault().isEmpty() ? "met" : "not met: " + hold.limitFault());
  }

  String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("# Search for ").append(title()).append("\n\n");
    text.append(
        FigureNames.first(figures(results.stream())).isOfTpcC()
            ? "Response time limits of TPC-C 5.2.5.3: 90 % of each type below its limit, and at most"
                + " 1 %"
            : "Limits: at most 1 %");
    text.append(
        " of all transactions failed. Latencies are in ms, from due to done, of successes.\n\n");
    for (String line : lines()) {
      text.append("- ").append(line).append('\n');
    }
    for (SearchResult result : results) {
      text.append("\n## ").append(result.database()).append("\n\n");
      FigureNames names = names(result);
      text.append("| run | ")
          .append(search.goal().unit())
          .append(
              " | limits | %s | %s | %s | p50 | p99 | max | results |\n"
                  .formatted(names.metric(), names.perMinute(), names.p90()));
      text.append("|---:|---:|---|---:|---:|---:|---:|---:|---:|---|\n");
      int run = 0;
      for (Step step : result.path()) {
        run++;
        text.append("| %d | %d | %s | ".formatted(run, step.value(), limits(step.why())));
        text.append(cells(step.figures())).append(" | ").append(step.directory()).append(" |\n");
      }
      Hold hold = result.hold();
      if (hold != null) {
        text.append(
            "| %d %% held | %d | %s | "
                .formatted(
                    hold.percent(),
                    search.goal().isOfWarehouses() ? hold.warehouses() : hold.terminals(),
                    limits(hold.limitFault())));
        text.append(cells(hold.figures())).append(" | ").append(hold.directory()).append(" |\n");
      }
    }
    return text.toString();
  }

  private String title() {
    return "the " + search.goal().words();
  }

  private static FigureNames names(SearchResult result) {
    return FigureNames.first(figures(Stream.of(result)));
  }

  private static Stream<PointFigures> figures(Stream<SearchResult> results) {
    return results
        .flatMap(result -> result.path().stream())
        .map(Step::figures)
        .filter(Objects::nonNull);
  }

  private static String limits(String why) {
    return why.isEmpty() ? "met" : why.replace("|", "\\|");
  }

  private static String cells(@org.jspecify.annotations.Nullable PointFigures figures) {
    if (figures == null) {
      return "| | | | | ";
    }
    return String.join(
        " | ",
        number(figures.metric().value()),
        number(figures.tpmTotal()),
        millis(figures.p90()),
        millis(figures.latency().p50()),
        millis(figures.latency().p99()),
        millis(figures.latency().max()));
  }

  static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  static String millis(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
