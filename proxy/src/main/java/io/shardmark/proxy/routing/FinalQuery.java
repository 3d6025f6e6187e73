package io.shardmark.proxy.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What one server computes of the merged groups of several: the client's expressions over groups
 * and aggregates, its HAVING, DISTINCT, ORDER BY and LIMIT. The groups stand in the text as
 * constants, so the server's own rules of types, collations and errors hold.
 *
 * @param select up to FROM: the select list over columns of {@link #column}
 * @param groups what each shard was asked: here it gives no rows, but the collations of the columns
 * @param rest behind FROM
 * @param columns how many values a group has
 */
public record FinalQuery(String select, String groups, String rest, int columns) {
  /** The name of a group's value in the text; no name that a client's text would mean. */
  static String column(int index) {
    return "\"shardmark " + (index + 1) + '"';
  }

  /**
   * The whole text.
   *
   * @param types of the values, as SQL names them
   * @param rows the merged groups, as texts
   */
  public String text(List<String> types, List<List<@Nullable String>> rows) {
    StringBuilder sql = new StringBuilder(select);
    sql.append(" FROM ((").append(groups).append(" LIMIT 0) UNION ALL ");
    if (rows.isEmpty()) {
      sql.append("SELECT ").append(row(types, nulls())).append(" WHERE false");
    } else {
      for (int i = 0; i < rows.size(); i++) {
        sql.append(i == 0 ? "VALUES (" : ", (").append(row(types, rows.get(i))).append(')');
      }
    }
    sql.append(") AS \"shardmark\" (");
    sql.append(
        IntStream.range(0, columns).mapToObj(FinalQuery::column).collect(Collectors.joining(", ")));
    return sql.append(')').append(rest).toString();
  }

  private List<@Nullable String> nulls() {
    List<@Nullable String> nulls = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      nulls.add(null);
    }
    return nulls;
  }

  private static String row(List<String> types, List<@Nullable String> values) {
    StringBuilder row = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      String value = values.get(i);
      row.append(i == 0 ? "" : ", ");
      row.append(value == null ? "NULL" : "'" + value.replace("'", "''") + "'");
      row.append("::").append(types.get(i));
    }
    return row.toString();
  }
}
