package io.shardmark.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Something that is done to the system under test during a run, of the key {@code events}.
 *
 * @param at since the start of the measurement interval
 * @param label its name in figures and pages; unique in a run
 * @param command for {@code sh -c}, or a built-in one, which begins with {@code @}
 */
public record PlannedEvent(Duration at, String label, String command) {
  static final String EXPECTED =
      "TIME LABEL: COMMAND with ';' between events, such as 60s crash: ./crash.sh; 2m backup: @backup";

  private static final Pattern FORM =
      Pattern.compile("(\\d{1,7})([smh])\\s+([A-Za-z0-9][A-Za-z0-9 ._-]{0,39}?)\\s*:\\s*(\\S.*)");

  /** Whether this program carries it out, not a shell. */
  public boolean isBuiltIn() {
    return command.startsWith("@");
  }

  /**
   * @throws IllegalArgumentException whose message says what was expected
   */
  static List<PlannedEvent> listOf(String text) {
    List<PlannedEvent> events = new ArrayList<>();
    for (String part : text.split(";", -1)) {
      Matcher matcher = FORM.matcher(part.strip());
      if (!matcher.matches()) {
        throw new IllegalArgumentException(EXPECTED);
      }
      PlannedEvent next =
          new PlannedEvent(
              Stage.length(Long.parseLong(matcher.group(1)), matcher.group(2)),
              matcher.group(3),
              matcher.group(4));
      events.forEach(before -> before.checkFollowedBy(next));
      events.add(next);
    }
    return List.copyOf(events);
  }

  private void checkFollowedBy(PlannedEvent next) {
    if (next.at.compareTo(at) < 0) {
      throw new IllegalArgumentException(
          "events in the order of their times: '%s' at %d s follows '%s' at %d s"
              .formatted(next.label, next.at.toSeconds(), label, at.toSeconds()));
    }
    if (next.label.equals(label)) {
      throw new IllegalArgumentException("different labels: two events are '%s'".formatted(label));
    }
  }
}
