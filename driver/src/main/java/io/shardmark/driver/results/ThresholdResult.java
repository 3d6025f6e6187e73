package io.shardmark.driver.results;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A condition of {@code failOn} with what was measured.
 *
 * @param condition as it was written
 * @param measured for people
 * @param broken whether the condition holds, so that the run has failed
 */
public record ThresholdResult(String condition, String measured, boolean broken) {
  private static final Pattern PARTS =
      Pattern.compile("([^\\s<>=!]+)\\s*(>=|<=|!=|>|<|=)\\s*([0-9.]*)\\s*(.*)");

  /** {@code errors 0 % (limit 1 %): ok}. */
  public String sentence() {
    Matcher parts = PARTS.matcher(condition);
    String end = broken ? ": BROKEN" : ": ok";
    if (!parts.matches()) {
      return condition + ": " + measured + end;
    }
    String unit = parts.group(4).isEmpty() ? "" : " " + parts.group(4).strip();
    String bound =
        switch (parts.group(2)) {
          case ">" -> "limit ";
          case ">=" -> "below ";
          case "<" -> "at least ";
          case "<=" -> "above ";
          default -> "";
        };
    return "%s %s (%s)%s"
        .formatted(
            parts.group(1),
            measured,
            bound.isEmpty() ? condition : bound + number(parts.group(3)) + unit,
            end);
  }

  private static String number(String text) {
    return text.matches("\\d{4,12}") ? Texts.count(Long.parseLong(text)) : text;
  }
}
