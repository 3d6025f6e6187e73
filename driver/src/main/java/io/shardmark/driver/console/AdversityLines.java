package io.shardmark.driver.console;

import static io.shardmark.driver.results.Texts.text;

import io.shardmark.driver.results.Adversity;
import io.shardmark.driver.results.EventResult;
import io.shardmark.driver.results.EventWindow;
import io.shardmark.driver.results.RollingChecks;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.ViolatedCondition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lines of the final report on events and checks during the run. */
final class AdversityLines {
  private static final String EVENT = "  %-20s %6s %6s %9s %9s %9s %7s %7s %8s %6s %6s";

  private AdversityLines() {}

  static List<String> of(@Nullable Adversity adversity) {
    List<String> lines = new ArrayList<>();
    if (adversity == null) {
      return lines;
    }
    if (!adversity.events().isEmpty()) {
      lines.add("");
      lines.add("Events, successes a second before, during and after; times in s:");
      lines.add(
          text(
              EVENT, "", "at", "took", "before", "during", "after", "dip", "back", "failed", "lost",
              "wrong"));
      adversity.events().forEach(event -> lines.add(line(event)));
    }
    RollingChecks checks = adversity.checks();
    if (checks != null) {
      lines.add("");
      lines.add(Texts.upperFirst(checks.sentence()) + ".");
      checks.violations().stream().map(ViolatedCondition::sentence).forEach(lines::add);
    }
    return lines;
  }

  private static String rate(EventWindow window) {
    return window.seconds() == 0 ? "-" : text("%.1f", window.perSecond());
  }

  private static String line(EventResult event) {
    Double dip = event.dipPercent();
    Double back = event.backAfterSeconds();
    return text(
            EVENT,
            event.label(),
            text("%.0f", event.atSeconds()),
            text("%.1f", event.seconds()),
            rate(event.before()),
            rate(event.during()),
            rate(event.after()),
            dip == null ? "-" : text("%.0f%%", dip),
            back == null ? dip == null ? "-" : "never" : text("%.0f", back),
            event.failed(),
            event.lost(),
            event.wrong())
        .stripTrailing();
  }
}
