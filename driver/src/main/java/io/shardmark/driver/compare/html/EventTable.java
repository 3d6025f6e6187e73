package io.shardmark.driver.compare.html;

import io.shardmark.driver.compare.ComparedEvent;
import io.shardmark.driver.compare.ComparedSystem;
import io.shardmark.driver.report.Columns;
import io.shardmark.driver.report.EventFigure;
import io.shardmark.driver.report.Page.Table;
import io.shardmark.driver.results.EventResult;
import io.shardmark.driver.results.Texts;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What each event did to each system: rows of an event, a column for each system. */
final class EventTable {
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
            .styled(row -> EventFigure.ALL.contains(row.figure()) ? "" : "total")
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
                "at "
                    + Texts.duration(
                        Math.rint(
                            runs.stream()
                                .collect(Collectors.averagingDouble(EventResult::atSeconds)))));
    return Stream.concat(Stream.of(head), EventFigure.ALL.stream())
        .map(figure -> new EventCells(event, figure));
  }
}
