package io.shardmark.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a run with its own rate, of the key {@code stages}.
 *
 * @param length above 0
 * @param txnsPerMin transactions a minute of all terminals together, due on a fixed schedule; 0 is
 *     a pause, in which nothing is due
 */
public record Stage(Duration length, int txnsPerMin) {
  static final String EXPECTED =
      "DURATION:RATE pairs such as 10m:5000, 10m:20000, 5m:0 (s, m or h; transactions a minute, one"
          + " of them above 0)";

  private static final Pattern FORM = Pattern.compile("(\\d{1,7})([smh]):(\\d{1,9})");
  private static final Duration LONGEST = Duration.ofDays(366);

  /**
   * @throws IllegalArgumentException whose message says what was expected
   */
  static List<Stage> listOf(String text) {
    List<Stage> stages = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher matcher = FORM.matcher(part.strip());
      if (!matcher.matches()) {
        throw new IllegalArgumentException(EXPECTED);
      }
      stages.add(
          new Stage(
              length(Long.parseLong(matcher.group(1)), matcher.group(2)),
              Integer.parseInt(matcher.group(3))));
    }
    boolean sensible =
        stages.stream().noneMatch(stage -> stage.length().isZero())
            && stages.stream().anyMatch(stage -> stage.txnsPerMin() > 0)
            && total(stages).compareTo(LONGEST) <= 0;
    if (!sensible) {
      throw new IllegalArgumentException(EXPECTED);
    }
    return List.copyOf(stages);
  }

  static Duration length(long count, String unit) {
    return switch (unit) {
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      default -> Duration.ofHours(count);
    };
  }

  /** Of all of them, one after the other. */
  public static Duration total(List<Stage> stages) {
    return stages.stream().map(Stage::length).reduce(Duration.ZERO, Duration::plus);
  }

  /** As the key has it: {@code 10m:5000}. */
  @Override
  public String toString() {
    long seconds = length.toSeconds();
    String time = seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    return time + ":" + txnsPerMin;
  }
}
