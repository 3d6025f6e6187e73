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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What was done to the system during the run, how it took it, and checks of its data. */
public final class AdversitySection {
  /** What the figures of events are. */
  public static final Block FIGURES =
      new Page.PageNote(
          "Before and after are up to 30 s each. A dip lasts while the mean of five seconds is"
              + " below 95 % of the rate before; its depth is that of its lowest second. Failed"
              + " transactions are those until the rate was back; lost ones are those of them"
              + " whose connection broke, so that nobody knows whether they committed.");

  private static final String BETWEEN = " / ";

  private AdversitySection() {}

  static Section of(Adversity adversity) {
    List<Block> blocks = new ArrayList<>();
    if (!adversity.events().isEmpty()) {
      blocks.add(events(adversity.events()));
      blocks.add(FIGURES);
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
    return new Columns<EventResult>()
        .text("Event", EventResult::label)
        .number("At", event -> Texts.duration(Math.rint(event.atSeconds())))
        .number("Took", event -> Texts.seconds(event.seconds()))
        .number("Before / during / after", event -> windows(event, AdversitySection::rate))
        .number(
            "p99 before / during / after",
            event -> windows(event, window -> Texts.known(window.p99Millis())))
        .number("Deepest", event -> percent(event))
        .number("Dip", event -> seconds(event.dipSeconds()))
        .number("Back at 95 %", AdversitySection::back)
        .number(
            "Failed / lost / wrong",
            event ->
                Stream.of(event.failed(), event.lost(), event.wrong())
                    .map(Texts::count)
                    .collect(Collectors.joining(BETWEEN)))
        .prose(
            "Command",
            event -> event.command() + (event.outcome().isEmpty() ? "" : ": " + event.outcome()))
        .scrolled()
        .table("Successes a second, and p99 from due to done in ms", events);
  }

  private static String windows(EventResult event, Function<EventWindow, String> text) {
    return Stream.of(event.before(), event.during(), event.after())
        .map(text)
        .collect(Collectors.joining(BETWEEN));
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
    return event.dipPercent() == null ? Texts.NONE : back == null ? "never" : seconds(back);
  }

  private static String seconds(@Nullable Double seconds) {
    return seconds == null ? Texts.NONE : Texts.seconds(seconds);
  }
}
