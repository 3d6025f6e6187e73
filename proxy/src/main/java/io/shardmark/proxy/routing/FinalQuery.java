package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one server computes of the rows of several: the client's expressions, its HAVING, DISTINCT,
 * ORDER BY and LIMIT, and before that, of groups that each shard has made, the groups of all. The
 * rows are in the text as constants, so the server's own rules of types, collations and errors
 * hold.
 *
 * @param select SELECT, perhaps with DISTINCT
 * @param items the select list over columns of {@link RowSource#column}
 * @param rows what each shard was asked: here it gives no rows, but the collations of the columns
 * @param rest after FROM
 * @param parts what the columns of the shards' rows are
 */
public record FinalQuery(
    String select, List<String> items, String rows, String rest, List<QueryPart> parts)
    implements LastStatement {
  /** What a column of a shard's row is to the rows of all shards. */
  enum QueryPart {
    /** A value; rows that are grouped with equal ones become one row. */
    VALUE,
    COUNT("count"),
    SUM("sum"),
    MIN("min"),
    MAX("max"),
    BOOL_AND("bool_and", "every"),
    BOOL_OR("bool_or"),
    BIT_AND("bit_and"),
    BIT_OR("bit_or"),
    BIT_XOR("bit_xor"),
    /** An average; the next two columns are the sum and the count of its values. */
    AVERAGE("avg"),
    SUM_OF_AVERAGE,
    COUNT_OF_AVERAGE;

    private final String function;
    private final String synonym;

    QueryPart() {
      this("");
    }

    QueryPart(String function) {
      this(function, function);
    }

    QueryPart(String function, String synonym) {
      this.function = function;
      this.synonym = synonym;
    }

    /** What the function gives; null if the values of several shards cannot be combined. */
    static @Nullable QueryPart of(String aggregate) {
      return Stream.of(values())
          .filter(part -> part.function.equals(aggregate) || part.synonym.equals(aggregate))
          .findFirst()
          .orElse(null);
    }
  }

  public FinalQuery {
    items = List.copyOf(items);
    parts = List.copyOf(parts);
  }

  @Override
  public List<List<Integer>> typeOids() {
    return List.of();
  }

  @Override
  public String text(List<List<String>> types, List<List<String>> values, List<String> names) {
    String query = RowSource.query(rows + " LIMIT 0", types.get(0), values.get(0));
    String source = "(" + query + ") AS \"shardmark\" (";
    source += RowSource.list(parts.size(), RowSource::column) + ")";
    String groups =
        IntStream.range(0, parts.size())
            .filter(index -> parts.get(index) == QueryPart.VALUE)
            .mapToObj(RowSource::column)
            .collect(Collectors.joining(", "));
    String by = groups.isEmpty() ? "" : " GROUP BY " + groups;
    String list =
        RowSource.list(
            items.size(), index -> items.get(index) + " AS " + TableName.quoted(names.get(index)));
    return "%s%s FROM (SELECT %s FROM %s%s) AS \"shardmark\"%s"
        .formatted(select, list, combination(types.get(0)), source, by, rest);
  }

  private String combination(List<String> types) {
    List<String> items = new ArrayList<>();
    for (int index = 0; index < parts.size(); index++) {
      String value = combined(index, types);
      if (value != null) {
        items.add(value + " AS " + RowSource.column(index));
      }
    }
    return String.join(", ", items);
  }

  private @Nullable String combined(int index, List<String> types) {
    String column = RowSource.column(index);
    return switch (parts.get(index)) {
      case VALUE -> column;
      case COUNT -> "coalesce(pg_catalog.sum(" + column + "), 0)::pg_catalog.int8";
      case SUM -> "pg_catalog.sum(" + column + ")::" + types.get(index);
      case MIN, MAX, BOOL_AND, BOOL_OR, BIT_AND, BIT_OR, BIT_XOR ->
          "pg_catalog." + parts.get(index).function + "(" + column + ")";
      case AVERAGE -> average(index, types);
      case SUM_OF_AVERAGE, COUNT_OF_AVERAGE -> null;
    };
  }

  /** As PostgreSQL divides: integers and numerics as numeric, all else by a float8. */
  private static String average(int index, List<String> types) {
    String sum = "pg_catalog.sum(" + RowSource.column(index + 1) + ")";
    String count = "nullif(pg_catalog.sum(" + RowSource.column(index + 2) + "), 0)";
    if (types.get(index).endsWith(".numeric")) {
      return sum + "::pg_catalog.numeric / " + count;
    }
    if (types.get(index + 1).endsWith(".float4")) {
      // A sum of float4 is rounded to 24 bits, while their average is reckoned with 53.
      sum = "pg_catalog.sum(" + RowSource.column(index) + " * " + RowSource.column(index + 2) + ")";
    }
    return sum + " / " + count + "::pg_catalog.float8";
  }
}
