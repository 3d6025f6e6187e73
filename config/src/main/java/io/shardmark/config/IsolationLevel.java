package io.shardmark.config;

import java.sql.Connection;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** Key {@code isolation}: the isolation level of the transactions. */
public enum IsolationLevel {
  /** Whatever the server or its driver sets, as BenchmarkSQL leaves it. */
  DEFAULT,
  READ_COMMITTED,
  REPEATABLE_READ,
  SERIALIZABLE;

  /** The name as written in properties files: lower case with underscores. */
  public String propertyName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The argument of {@link Connection#setTransactionIsolation}; empty means do not call it. */
  public OptionalInt jdbcLevel() {
    return switch (this) {
      case DEFAULT -> OptionalInt.empty();
      case READ_COMMITTED -> OptionalInt.of(Connection.TRANSACTION_READ_COMMITTED);
      case REPEATABLE_READ -> OptionalInt.of(Connection.TRANSACTION_REPEATABLE_READ);
      case SERIALIZABLE -> OptionalInt.of(Connection.TRANSACTION_SERIALIZABLE);
    };
  }

  /**
   * Finds a level by its name.
   *
   * @param text a value of the key, in any case, words joined by blanks, hyphens or underscores
   * @throws IllegalArgumentException if there is no such level; the message lists the names
   */
  public static IsolationLevel of(String text) {
    String name = text.replaceAll("[ -]+", "_").toLowerCase(Locale.ROOT);
    for (IsolationLevel level : values()) {
      if (level.propertyName().equals(name)) {
        return level;
      }
    }
    throw new IllegalArgumentException(
        "one of "
            + Arrays.stream(values())
                .map(IsolationLevel::propertyName)
                .collect(Collectors.joining(", ")));
  }
}
