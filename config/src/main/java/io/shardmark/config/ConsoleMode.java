package io.shardmark.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Key {@code console}: how a run shows itself while it goes on. */
public enum ConsoleMode {
  /** The dashboard on a terminal that can show it, otherwise as {@link #PLAIN}. */
  AUTO,
  /**
   * The dashboard; where it cannot be shown there is a warning, and it goes on as {@link #PLAIN}.
   */
  DASHBOARD,
  /** BenchmarkSQL's status line on a terminal, a line every 10 s elsewhere. */
  PLAIN;

  /** The name as written in properties files: lower case. */
  public String propertyName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Finds a mode by its name.
   *
   * @throws IllegalArgumentException if there is no such mode; the message lists the names
   */
  public static ConsoleMode of(String text) {
    for (ConsoleMode mode : values()) {
      if (mode.propertyName().equals(text)) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        "one of "
            + Arrays.stream(values())
                .map(ConsoleMode::propertyName)
                .collect(Collectors.joining(", ")));
  }
}
