package io.shardmark.driver.report;

import io.shardmark.driver.judge.Limits;
import io.shardmark.driver.results.EventResult;
import io.shardmark.driver.results.EventWindow;
import io.shardmark.driver.results.Texts;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A figure of an event; its text is of all runs of a system that had the event, at least one. */
public record EventFigure(String name, Function<List<EventResult>, String> text) {
  public static final List<EventFigure> ALL =
      List.of(
          new EventFigure(
              "Successes a second before / during / after",
              runs -> windows(runs, w -> w.seconds() == 0 ? null : w.perSecond())),
          new EventFigure(
              "p99 before / during / after, ms", runs -> windows(runs, EventWindow::p99Millis)),
          new EventFigure("Depth of the dip", runs -> text(runs, EventResult::dipPercent, " %")),
          new EventFigure("Length of the dip", runs -> text(runs, EventResult::dipSeconds, " s")),
          new EventFigure(
              "Back at " + Texts.percent(Limits.EVENT_BACK_SHARE) + " after", EventFigure::back),
          new EventFigure(
              "Failed / lost / wrong",
              runs ->
                  joined(
                      text(runs, one -> (double) one.failed(), ""),
                      text(runs, one -> (double) one.lost(), ""),
                      text(runs, one -> (double) one.wrong(), ""))));

  private static String joined(String... texts) {
    return String.join(" / ", texts);
  }

  private static String windows(
      List<EventResult> runs, Function<EventWindow, @Nullable Double> value) {
    return joined(
        text(runs, run -> value.apply(run.before()), ""),
        text(runs, run -> value.apply(run.during()), ""),
        text(runs, run -> value.apply(run.after()), ""));
  }

  private static String back(List<EventResult> runs) {
    List<EventResult> judged = runs.stream().filter(run -> run.dipPercent() != null).toList();
    long never = judged.stream().filter(run -> run.backAfterSeconds() == null).count();
    if (never > 0) {
      return judged.size() == 1
          ? "never"
          : "never in %d of %d runs".formatted(never, judged.size());
    }
    return text(judged, EventResult::backAfterSeconds, " s");
  }

  /** The mean of the runs that know it; a dash if none does. */
  private static String text(
      List<EventResult> runs, Function<EventResult, @Nullable Double> value, String unit) {
    OptionalDouble mean =
        runs.stream()
            .map(value)
            .filter(Objects::nonNull)
            .mapToDouble(Double::doubleValue)
            .average();
    return mean.isPresent() ? Texts.three(mean.getAsDouble()) + unit : Texts.NONE;
  }
}
