package io.shardmark.proxy.routing;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows as constants in a text. */
final class RowSource {
  private RowSource() {}

  /** The name of a column; no name that a client's text would mean. */
  static String column(int index) {
    return "\"shardmark " + (index + 1) + '"';
  }

  /**
   * A query that gives them.
   *
   * @param like a query without rows, whose columns have the types and collations of these
   * @param types of the columns, as SQL names them
   * @param values of each column, as the elements of an array in PostgreSQL's text format
   */
  static String query(String like, List<String> types, List<String> values) {
    return "("
        + like
        + ") UNION ALL SELECT "
        + list(types.size(), index -> column(index) + "::" + types.get(index))
        + " FROM ROWS FROM ("
        + list(types.size(), index -> "pg_catalog.unnest(" + array(values.get(index)) + ")")
        + ") AS \"shardmark\" ("
        + list(types.size(), RowSource::column)
        + ")";
  }

  private static String array(String elements) {
    return "'{" + elements.replace("'", "''") + "}'::pg_catalog.text[]";
  }

  static String list(int size, IntFunction<String> text) {
    return IntStream.range(0, size).mapToObj(text).collect(Collectors.joining(", "));
  }
}
