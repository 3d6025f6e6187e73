package io.shardmark.config.tpcc;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Key {@code statementProfile}: which statements and round trips a transaction is made of. Results
 * of unlike profiles do not compare.
 */
public enum StatementProfile {
  /** BenchmarkSQL's statements, in its order, one round trip each. */
  BENCHMARKSQL,
  /** As few round trips as set-based SQL and pipelining allow, still client SQL. */
  BATCHED,
  /** One stored procedure call for each transaction. */
  PROCEDURES;

  /** The name as written in properties files: lower case. */
  public String propertyName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Finds a profile by its name.
   *
   * @throws IllegalArgumentException if there is no such profile; the message lists the names
   */
  public static StatementProfile of(String text) {
    for (StatementProfile profile : values()) {
      if (profile.propertyName().equals(text)) {
        return profile;
      }
    }
    throw new IllegalArgumentException(
        "one of "
            + Arrays.stream(values())
                .map(StatementProfile::propertyName)
                .collect(Collectors.joining(", ")));
  }
}
