package io.shardmark.driver.tpcc.statements;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * A SELECT with a list of keys, prepared for a few lengths only; a list in between is filled up
 * with its last key, which changes nothing. So a server keeps four plans instead of fifteen.
 */
final class InList {
  private static final int[] LENGTHS = {1, 5, 10, 15};

  private final Connection connection;
  private final String text;
  private final String after;
  private final Map<Integer, Sql> statements = new HashMap<>();

  /**
   * @param before the text up to and with {@code IN}
   * @param after the text after the list
   */
  InList(Connection connection, String before, String after) {
    this.connection = connection;
    this.text = before;
    this.after = after;
  }

  /**
   * Binds the values before the list, and its keys.
   *
   * @param keys 1 .. 15 of them
   */
  Sql bind(int[] keys, Object... before) throws SQLException {
    int length = paddedLength(keys.length);
    Sql statement = statements.get(length);
    if (statement == null) {
      statement = new Sql(connection, text + list(length) + after);
      statements.put(length, statement);
    }
    statement.with(before);
    for (int index = 0; index < length; index++) {
      statement.and(keys[Math.min(index, keys.length - 1)]);
    }
    return statement;
  }

  private static int paddedLength(int count) {
    for (int length : LENGTHS) {
      if (count <= length) {
        return length;
      }
    }
    throw new IllegalArgumentException(count + " keys in a list of at most 15");
  }

  private static String list(int length) {
    return " (?" + ", ?".repeat(length - 1) + ")";
  }
}
