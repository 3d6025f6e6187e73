package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Items;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.Adversity;
import io.shardmark.driver.results.EventResult;
import io.shardmark.driver.results.EventWindow;
import io.shardmark.driver.results.RollingChecks;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.ViolatedCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What was done to the system during the run, how it took it, and checks of its data. */
final class AdversitySection {
  private AdversitySection() {}

  static Section of(Adversity adversity) {
    List<Block> blocks = new ArrayList<>();
    if (!adversity.events().isEmpty()) {
      blocks.add(events(adversity.events()));
      blocks.add(
          new Page.PageNote(
              "Before and after are up to 30 s each. A dip lasts while the mean of five seconds is"
                  + " below 95 % of the rate before; its depth is that of its lowest second. Failed"
                  + " transactions are those until the rate was back; lost ones are those of them"
                  + " whose connection broke, so that nobody knows whether they committed."));
    }
    RollingChecks checks = adversity.checks();
    if (checks != null) {
      List<String> found = new ArrayList<>(List.of(Texts.upperFirst(checks.sentence())));
      if (!checks.oneSnapshot()) {
        found.add(
            "The conditions were read at different instants: what is broken may be a false alarm");
      }
      found.add(
          checks.violations().isEmpty()
              ? "No condition was broken"
              : Texts.plural(checks.violations().size(), "condition was", "conditions were")
                  + " broken");
      checks.violations().stream().map(ViolatedCondition::sentence).forEach(found::add);
      blocks.add(new Items(found));
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
    addWindow(columns, "before", EventResult::before);
    addWindow(columns, "during", EventResult::during);
    addWindow(columns, "after", EventResult::after);
    return columns
        .number("Deepest", event -> percent(event))
        .number("Dip", event -> Texts.seconds(event.dipSeconds()))
        .number("Back at 95 %", AdversitySection::back)
        .number("Failed", event -> Texts.count(event.failed()))
        .number("Lost", event -> Texts.count(event.lost()))
        .number("Wrong", event -> Texts.count(event.wrong()))
        .prose(
            "Command",
            event -> event.command() + (event.outcome().isEmpty() ? "" : ": " + event.outcome()))
        .scrolled()
        .table("Successes a second, and p99 from due to done in ms", events);
  }

  private static void addWindow(
      Columns<EventResult> columns, String when, Function<EventResult, EventWindow> window) {
    columns
        .number(Texts.upperFirst(when), event -> rate(window.apply(event)))
        .number("p99 " + when, event -> Texts.known(window.apply(event).p99Millis()));
  }

  private static String rate(EventWindow window) {
    return window.seconds() == 0 ? Texts.NONE : Texts.three(window.perSecond());
  }

  private static String percent(EventResult event) {
    Double dip = event.dipPercent();
    return dip == null ? Texts.NONE : Texts.percent(dip / 100);
  }

  private static String back(EventResult event) {
    Double back = event.backAfterSeconds();
    return event.dipPercent() == null ? Texts.NONE : back == null ? "never" : Texts.seconds(back);
  }
}
