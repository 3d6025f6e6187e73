package io.shardmark.config;

import java.util.Arrays;
import java.util.stream.Collectors;

/** When transactions are due under the key {@code limitTxnsPerMin}. */
public enum LimitPacing {
  /**
   * On a fixed schedule: what is due while the system stands still stays due, and its latency
   * counts from then.
   */
  SCHEDULE("schedule"),
  /**
   * A pause after each transaction, as in BenchmarkSQL: what a stall keeps from being sent is lost.
   */
  BENCHMARKSQL("benchmarksql");

  private final String propertyName;

  LimitPacing(String propertyName) {
    this.propertyName = propertyName;
  }

  /** Its name in properties files. */
  public String propertyName() {
    return propertyName;
  }

  /**
   * The one of this name.
   *
   * @throws IllegalArgumentException if there is none; the message names all
   */
  public static LimitPacing of(String text) {
    for (LimitPacing pacing : values()) {
      if (pacing.propertyName.equals(text)) {
        return pacing;
      }
    }
    throw new IllegalArgumentException(
        Arrays.stream(values()).map(LimitPacing::propertyName).collect(Collectors.joining(" or ")));
  }
}
