package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks of the consistency conditions during a run, and what they cost it.
 *
 * @param everySeconds key {@code checkEvery}
 * @param checks how many came to their end
 * @param failed how many did not: the database could not be asked
 * @param firstFailure why; empty if none failed
 * @param oneSnapshot whether all conditions of each check saw one snapshot of the database; if not,
 *     what was violated may be a false alarm
 * @param meanSeconds that a check took
 * @param longestSeconds that one took
 * @param during the seconds of the run in which a check ran
 * @param otherwise the other ones
 * @param violations what was found; not empty only if the run is inconsistent, or if alarms may be
 *     false
 */
public record RollingChecks(
    double everySeconds,
    int checks,
    int failed,
    String firstFailure,
    boolean oneSnapshot,
    double meanSeconds,
    double longestSeconds,
    EventWindow during,
    EventWindow otherwise,
    List<ViolatedCondition> violations) {
  public RollingChecks {
    during = Objects.requireNonNullElse(during, EventWindow.NONE);
    otherwise = Objects.requireNonNullElse(otherwise, EventWindow.NONE);
    violations = List.copyOf(violations);
  }

  /** By how much the rate was lower while a check ran; null without seconds of both kinds. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public @Nullable Double costPercent() {
    return during.seconds() == 0 || otherwise.perSecond() == 0
        ? null
        : 100 * (1 - during.perSecond() / otherwise.perSecond());
  }

  /** What was done, in a sentence without its full stop. */
  public String sentence() {
    String cost =
        costPercent() == null
            ? ""
            : "; %.1f transactions a second while one ran, %.1f otherwise (%+.1f %%)"
                .formatted(during.perSecond(), otherwise.perSecond(), -costPercent());
    return "%s of the consistency conditions, each %.2f s on average and %.2f s at most%s%s"
        .formatted(
            Texts.plural(checks, "check", "checks"),
            meanSeconds,
            longestSeconds,
            failed == 0
                ? ""
                : "; %s could not be made: %s"
                    .formatted(Texts.plural(failed, "more", "more"), firstFailure),
            cost);
  }
}
