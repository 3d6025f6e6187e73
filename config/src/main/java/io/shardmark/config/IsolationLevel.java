package io.shardmark.config;

import static java.util.Locale.ROOT;

import java.sql.Connection;
import java.util.OptionalInt;

/** Key {@code isolation}: the isolation level of the transactions. */
public enum IsolationLevel implements NamedConstant {
  /** Whatever the server or its driver sets, as BenchmarkSQL leaves it. */
  DEFAULT,
  READ_COMMITTED,
  REPEATABLE_READ,
  SERIALIZABLE;

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
    return KeyType.constant(IsolationLevel.class, text.replaceAll("[ -]+", "_").toLowerCase(ROOT))
        .orElseThrow(() -> new IllegalArgumentException(PropertyKey.ISOLATION.type().expected()));
  }
}
