package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
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

  /** What was done and found, in sentences without their full stops. */
  public List<String> sentences() {
    List<String> sentences = new ArrayList<>(List.of(made()));
    if (!oneSnapshot) {
      sentences.add(
          "The conditions were read at different instants: what is broken may be a false alarm");
    }
    if (!violations.isEmpty()) {
      sentences.add(
          Texts.plural(violations.size(), "condition was", "conditions were") + " broken");
    } else if (checks > 0) {
      sentences.add("No condition was broken");
    }
    violations.forEach(violation -> sentences.add(violation.sentence()));
    return sentences;
  }

  private String made() {
    String times =
        checks == 0
            ? ""
            : ", each %.2f s on average and %.2f s at most".formatted(meanSeconds, longestSeconds);
    String others =
        failed == 0
            ? ""
            : "; %s more could not be made: %s".formatted(Texts.count(failed), firstFailure);
    String cost =
        costPercent() == null
            ? ""
            : "; %.1f transactions a second while one ran, %.1f otherwise (%+.1f %%)"
                .formatted(during.perSecond(), otherwise.perSecond(), -costPercent());
    return Texts.plural(checks, "check", "checks")
        + " of the consistency conditions"
        + times
        + others
        + cost;
  }
}
