package io.shardmark.driver.compare.html;

import io.shardmark.driver.compare.ComparedEvent;
import io.shardmark.driver.compare.ComparedSystem;
import io.shardmark.driver.report.Columns;
import io.shardmark.driver.report.Page.Table;
import io.shardmark.driver.results.EventResult;
import io.shardmark.driver.results.EventWindow;
import io.shardmark.driver.results.Texts;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What each event did to each system: rows of an event, a column for each system. */
final class EventTable {
  private static final String BETWEEN = " / ";

  private static final List<Function<EventResult, EventWindow>> WINDOWS =
      List.of(EventResult::before, EventResult::during, EventResult::after);

  /** The rows of each event. */
  private static final List<EventFigure> FIGURES =
      List.of(
          new EventFigure(
              "Successes a second before / during / after",
              runs -> windows(runs, w -> w.seconds() == 0 ? null : w.perSecond())),
          new EventFigure(
              "p99 before / during / after, ms", runs -> windows(runs, EventWindow::p99Millis)),
          new EventFigure(
              "Depth of the dip",
              runs -> with(mean(runs, EventResult::dipPercent), " %", Texts.NONE)),
          new EventFigure(
              "Length of the dip",
              runs -> with(mean(runs, EventResult::dipSeconds), " s", Texts.NONE)),
          new EventFigure("Back at 95 % after", EventTable::back),
          new EventFigure(
              "Failed / lost / wrong",
              runs ->
                  Stream.<Function<EventResult, Double>>of(
                          one -> (double) one.failed(),
                          one -> (double) one.lost(),
                          one -> (double) one.wrong())
                      .map(count -> with(mean(runs, count), "", ""))
                      .collect(Collectors.joining(BETWEEN))));

  /** A row of an event; its text is of all runs of a system that had the event. */
  private record EventFigure(String name, Function<List<EventResult>, String> text) {}

  /** A figure of an event. */
  private record EventCells(ComparedEvent event, EventFigure figure) {
    String text(ComparedSystem system) {
      List<EventResult> runs = event.of(system);
      return runs.isEmpty() ? Texts.NONE : figure.text().apply(runs);
    }
  }

  private EventTable() {}

  static Table of(List<ComparedEvent> events, List<ComparedSystem> systems) {
    Columns<EventCells> columns =
        new Columns<EventCells>()
            .scrolled()
            .styled(row -> FIGURES.contains(row.figure()) ? "" : "total")
            .text("Event", row -> row.figure().name());
    for (ComparedSystem system : systems) {
      columns.number(system.label(), row -> row.text(system));
    }
    return columns.table("", events.stream().flatMap(EventTable::rows).toList());
  }

  private static Stream<EventCells> rows(ComparedEvent event) {
    EventFigure head =
        new EventFigure(
            event.label(),
            runs ->
                mean(runs, EventResult::atSeconds).stream()
                    .mapToObj(at -> "at " + Texts.duration(Math.rint(at)))
                    .collect(Collectors.joining()));
    return Stream.concat(Stream.of(head), FIGURES.stream())
        .map(figure -> new EventCells(event, figure));
  }

  private static String windows(
      List<EventResult> runs, Function<EventWindow, @Nullable Double> value) {
    return WINDOWS.stream()
        .map(window -> with(mean(runs, run -> value.apply(window.apply(run))), "", Texts.NONE))
        .collect(Collectors.joining(BETWEEN));
  }

  private static String back(List<EventResult> runs) {
    List<EventResult> judged = runs.stream().filter(run -> run.dipPercent() != null).toList();
    long never = judged.stream().filter(run -> run.backAfterSeconds() == null).count();
    if (never > 0) {
      return judged.size() == 1
          ? "never"
          : "never in %d of %d runs".formatted(never, judged.size());
    }
    return with(mean(judged, EventResult::backAfterSeconds), " s", Texts.NONE);
  }

  /** Of the runs that know it. */
  private static OptionalDouble mean(
      List<EventResult> runs, Function<EventResult, @Nullable Double> value) {
    return runs.stream()
        .map(value)
        .filter(Objects::nonNull)
        .mapToDouble(Double::doubleValue)
        .average();
  }

  private static String with(OptionalDouble value, String unit, String none) {
    return value.isPresent() ? Texts.three(value.getAsDouble()) + unit : none;
  }
}
