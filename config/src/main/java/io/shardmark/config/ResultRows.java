package io.shardmark.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Key {@code resultRows}: what {@code data/result.csv} holds, and so how large it grows. */
public enum ResultRows {
  /** One row for each transaction, as BenchmarkSQL writes it: about 30 bytes each. */
  ALL,
  /**
   * Every n-th transaction (key {@code resultSampleEvery}); counts in the other files stay exact.
   */
  SAMPLED,
  /**
   * No rows; per-second aggregates in {@code data/per_second.csv} only, which are written in every
   * mode.
   */
  NONE;

  /** The name as written in properties files: lower case. */
  public String propertyName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Finds a mode by its name.
   *
   * @throws IllegalArgumentException if there is no such mode; the message lists the names
   */
  public static ResultRows of(String text) {
    for (ResultRows rows : values()) {
      if (rows.propertyName().equals(text)) {
        return rows;
      }
    }
    throw new IllegalArgumentException(
        "one of "
            + Arrays.stream(values())
                .map(ResultRows::propertyName)
                .collect(Collectors.joining(", ")));
  }
}
