package io.shardmark.driver.report;

import io.shardmark.driver.judge.Limits;
import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Items;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.Adversity;
import io.shardmark.driver.results.EventResult;
import io.shardmark.driver.results.RollingChecks;
import io.shardmark.driver.results.Texts;
import java.util.ArrayList;
import java.util.List;

/** What was done to the system during the run, how it took it, and checks of its data. */
public final class AdversitySection {
  /** What the figures of events are. */
  public static final Block FIGURES =
      new Page.PageNote(
          ("Before and after are up to %d s each. A dip lasts while the mean of %d seconds is below"
                  + " %s of the rate before; its depth is that of its lowest second. Failed"
                  + " transactions are those until the rate was back; lost ones are those of them"
                  + " whose connection broke, so that nobody knows whether they committed.")
              .formatted(
                  Limits.EVENT_SECONDS,
                  Limits.EVENT_MEAN_SECONDS,
                  Texts.percent(Limits.EVENT_BACK_SHARE)));

  private AdversitySection() {}

  static Section of(Adversity adversity) {
    List<Block> blocks = new ArrayList<>();
    if (!adversity.events().isEmpty()) {
      blocks.add(events(adversity.events()));
      blocks.add(FIGURES);
    }
    RollingChecks checks = adversity.checks();
    if (checks != null) {
      blocks.add(new Items(checks.sentences()));
    }
    return new Section(
        "adversity",
        "Adversity",
        "What was done to the system during the run, and how it took it.",
        blocks);
  }

  private static Page.Table events(List<EventResult> events) {
    Columns<EventResult> columns =
        new Columns<EventResult>()
            .text("Event", EventResult::label)
            .number("At", event -> Texts.duration(Math.rint(event.atSeconds())))
            .number("Took", event -> Texts.seconds(event.seconds()));
    for (EventFigure figure : EventFigure.ALL) {
      columns.number(figure.name(), event -> figure.text().apply(List.of(event)));
    }
    return columns
        .prose(
            "Command",
            event -> event.command() + (event.outcome().isEmpty() ? "" : ": " + event.outcome()))
        .scrolled()
        .table("p99 is from due to done", events);
  }
}
