package io.shardmark.driver.console;

import static io.shardmark.driver.results.Texts.text;

import io.shardmark.driver.report.Columns;
import io.shardmark.driver.report.Page;
import io.shardmark.driver.report.TextTable;
import io.shardmark.driver.results.Adversity;
import io.shardmark.driver.results.EventResult;
import io.shardmark.driver.results.EventWindow;
import io.shardmark.driver.results.RollingChecks;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lines of the final report on events and checks during the run. */
final class AdversityLines {
  private AdversityLines() {}

  static List<String> of(@Nullable Adversity adversity) {
    List<String> lines = new ArrayList<>();
    if (adversity == null) {
      return lines;
    }
    if (!adversity.events().isEmpty()) {
      lines.add("");
      lines.add("Events, successes a second before, during and after; times in s:");
      TextTable.lines(table(adversity.events())).forEach(line -> lines.add("  " + line));
    }
    RollingChecks checks = adversity.checks();
    if (checks != null) {
      lines.add("");
      checks.sentences().forEach(sentence -> lines.add(sentence + "."));
    }
    return lines;
  }

  private static Page.Table table(List<EventResult> events) {
    return new Columns<EventResult>()
        .text("", EventResult::label)
        .number("at", event -> text("%.0f", event.atSeconds()))
        .number("took", event -> text("%.1f", event.seconds()))
        .number("before", event -> rate(event.before()))
        .number("during", event -> rate(event.during()))
        .number("after", event -> rate(event.after()))
        .number("dip", event -> known("%.0f%%", event.dipPercent(), "-"))
        .number(
            "back",
            event ->
                known("%.0f", event.backAfterSeconds(), event.dipPercent() == null ? "-" : "never"))
        .number("failed", event -> text("%d", event.failed()))
        .number("lost", event -> text("%d", event.lost()))
        .number("wrong", event -> text("%d", event.wrong()))
        .table("", events);
  }

  private static String rate(EventWindow window) {
    return window.seconds() == 0 ? "-" : text("%.1f", window.perSecond());
  }

  private static String known(String format, @Nullable Double value, String none) {
    return value == null ? none : text(format, value);
  }
}
