package io.shardmark.proxy.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What one server computes of the rows of several: the client's expressions, its HAVING, DISTINCT,
 * ORDER BY and LIMIT, and before that, of groups that each shard has made, the groups of all. The
 * rows stand in the text as constants, so the server's own rules of types, collations and errors
 * hold.
 *
 * @param select up to FROM: the select list over columns of {@link #column}
 * @param rows what each shard was asked: here it gives no rows, but the collations of the columns
 * @param rest behind FROM
 * @param grouped whether each shard has made groups
 * @param parts what the columns of the shards' rows are
 */
public record FinalQuery(
    String select, String rows, String rest, boolean grouped, List<Part> parts) {
  /** What a column of a shard's row is to the rows of all shards. */
  enum Part {
    /** A value; rows that are grouped with equal ones become one row. */
    VALUE,
    COUNT,
    SUM,
    MIN,
    MAX,
    BOOL_AND,
    BOOL_OR,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    /** An average; the next two columns are the sum and the count of its values. */
    AVERAGE,
    SUM_OF_AVERAGE,
    COUNT_OF_AVERAGE
  }

  public FinalQuery {
    parts = List.copyOf(parts);
  }

  /** The name of a column in the text; no name that a client's text would mean. */
  static String column(int index) {
    return "\"shardmark " + (index + 1) + '"';
  }

  /**
   * The whole text.
   *
   * @param types of the values, as SQL names them
   * @param values of each column, of all rows, as the elements of an array in PostgreSQL's text
   *     format
   */
  public String text(List<String> types, List<String> values) {
    StringBuilder sql = new StringBuilder(select).append(" FROM (");
    if (grouped) {
      sql.append("SELECT ").append(combination(types)).append(" FROM (");
    }
    sql.append('(').append(rows).append(" LIMIT 0) UNION ALL SELECT ");
    sql.append(columns(index -> column(index) + "::" + types.get(index)));
    sql.append(" FROM ROWS FROM (");
    sql.append(columns(index -> "pg_catalog.unnest(" + literal(values.get(index)) + ")"));
    sql.append(") AS \"shardmark\" (").append(columns(FinalQuery::column)).append(')');
    sql.append(") AS \"shardmark\" (").append(columns(FinalQuery::column)).append(')');
    if (grouped) {
      String groups =
          IntStream.range(0, parts.size())
              .filter(index -> parts.get(index) == Part.VALUE)
              .mapToObj(FinalQuery::column)
              .collect(Collectors.joining(", "));
      sql.append(groups.isEmpty() ? "" : " GROUP BY " + groups).append(") AS \"shardmark\"");
    }
    return sql.append(rest).toString();
  }

  private static String literal(String elements) {
    return "'{" + elements.replace("'", "''") + "}'::pg_catalog.text[]";
  }

  private String columns(IntFunction<String> text) {
    return IntStream.range(0, parts.size()).mapToObj(text).collect(Collectors.joining(", "));
  }

  private String combination(List<String> types) {
    List<String> items = new ArrayList<>();
    for (int index = 0; index < parts.size(); index++) {
      String value = combined(index, types);
      if (value != null) {
        items.add(value + " AS " + column(index));
      }
    }
    return String.join(", ", items);
  }

  private @Nullable String combined(int index, List<String> types) {
    String column = column(index);
    return switch (parts.get(index)) {
      case VALUE -> column;
      case COUNT -> "coalesce(pg_catalog.sum(" + column + "), 0)::pg_catalog.int8";
      case SUM -> "pg_catalog.sum(" + column + ")::" + types.get(index);
      case MIN -> "pg_catalog.min(" + column + ")";
      case MAX -> "pg_catalog.max(" + column + ")";
      case BOOL_AND -> "pg_catalog.bool_and(" + column + ")";
      case BOOL_OR -> "pg_catalog.bool_or(" + column + ")";
      case BIT_AND -> "pg_catalog.bit_and(" + column + ")";
      case BIT_OR -> "pg_catalog.bit_or(" + column + ")";
      case BIT_XOR -> "pg_catalog.bit_xor(" + column + ")";
      case AVERAGE -> average(index, types);
      case SUM_OF_AVERAGE, COUNT_OF_AVERAGE -> null;
    };
  }

  /** As PostgreSQL divides: integers and numerics as numeric, all else by a float8. */
  private static String average(int index, List<String> types) {
    String sum = "pg_catalog.sum(" + column(index + 1) + ")";
    String count = "nullif(pg_catalog.sum(" + column(index + 2) + "), 0)";
    if (types.get(index).endsWith(".numeric")) {
      return sum + "::pg_catalog.numeric / " + count;
    }
    if (types.get(index + 1).endsWith(".float4")) {
      // A sum of float4 is rounded to 24 bits, while their average is reckoned with 53.
      sum = "pg_catalog.sum(" + column(index) + " * " + column(index + 2) + ")";
    }
    return sum + " / " + count + "::pg_catalog.float8";
  }
}
