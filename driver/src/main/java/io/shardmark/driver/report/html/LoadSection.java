package io.shardmark.driver.report.html;

import io.shardmark.driver.report.RunData;
import io.shardmark.driver.report.html.Page.Block;
import io.shardmark.driver.report.html.Page.Section;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was asked of the system and what of it was done. */
final class LoadSection {
  private LoadSection() {}

  /** Only of a run that says so. */
  static Optional<Section> of(RunData run) {
    Map<String, Double> load = run.load();
    if (!load.containsKey("due")) {
      return Optional.empty();
    }
    TableBuilder table =
        new TableBuilder("Transactions of the measurement interval").text("").number("Count");
    if (load.containsKey("askedPerMinute")) {
      table.row("Asked per minute", count(load, "askedPerMinute"));
    }
    table.row("Due in the interval", count(load, "due"));
    table.row("Begun in it", count(load, "begun"));
    table.row("Done in it", count(load, "done"));
    table.row("Backlog at its start (due, not begun)", count(load, "backlogAtStart"));
    table.row("Backlog at its end", count(load, "backlogAtEnd"));
    table.row("Growth of the backlog", count(load, "backlogGrowth"));
    table.row("In flight at its end", count(load, "inFlightAtEnd"));
    table.row("Broken off after it", count(load, "brokenOff"));
    Section section =
        new Section(
            "load",
            "Load",
            load.containsKey("askedPerMinute")
                ? "Transactions were due on a schedule, whether or not the system kept up."
                : "Terminals wait for their answers: nothing more is due meanwhile.",
            List.of(Block.of(table.build())));
    boolean kept =
        load.getOrDefault("backlogAtEnd", 0.0) + load.getOrDefault("brokenOff", 0.0) == 0;
    return Optional.of(kept ? section.fold() : section);
  }

  private static String count(Map<String, Double> load, String name) {
    return Texts.count(Math.round(load.getOrDefault(name, 0.0)));
  }
}
