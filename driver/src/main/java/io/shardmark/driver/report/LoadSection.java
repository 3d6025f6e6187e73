package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.LoadFigures;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.reader.RunData;
import java.util.List;
import java.util.Optional;

/** What was asked of the system and what of it was done. */
final class LoadSection {
  private LoadSection() {}

  /** Only of a run that says so. */
  static Optional<Section> of(RunData run) {
    LoadFigures load = run.result().load();
    if (load == null) {
      return Optional.empty();
    }
    TableBuilder table =
        new TableBuilder("Transactions of the measurement interval").text("").number("Count");
    if (load.askedPerMinute() > 0) {
      table.row("Asked per minute", Texts.count(Math.round(load.askedPerMinute())));
    }
    table.row("Due in the interval", Texts.count(load.due()));
    table.row("Begun in it", Texts.count(load.begun()));
    table.row("Done in it", Texts.count(load.done()));
    table.row("Backlog at its start (due, not begun)", Texts.count(load.backlogAtStart()));
    table.row("Backlog at its end", Texts.count(load.backlogAtEnd()));
    table.row("Growth of the backlog", Texts.count(load.backlogGrowth()));
    table.row("In flight at its end", Texts.count(load.inFlightAtEnd()));
    table.row("Broken off after it", Texts.count(load.brokenOff()));
    Section section =
        new Section(
            "load",
            "Load",
            load.askedPerMinute() > 0
                ? "Transactions were due on a schedule, whether or not the system kept up."
                : "Terminals wait for their answers: nothing more is due meanwhile.",
            List.of(Block.of(table.build())));
    boolean kept = load.backlogAtEnd() + load.brokenOff() == 0;
    return Optional.of(kept ? section.fold() : section);
  }
}
