package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.Column.Filling;
import io.shardmark.proxy.shardmap.RowChange;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A change of a reference table that one server computes for all: it executes the client's
 * statement and returns the rows it has changed, and the other servers are given these rows. A row
 * is one text, as a composite value of the table's type is written.
 *
 * @param sql what the first server is asked: the client's statement, which also returns the changed
 *     rows in its last columns, {@link #hiddenColumns}
 * @param change what is done to the rows that are returned; INSERT also for ON CONFLICT DO UPDATE
 * @param columns that the statement gives values to
 * @param beyondKey columns that the key by which rows are found must not have: those that ON
 *     CONFLICT DO UPDATE sets, or that have been filled; null if any key will do
 */
public record ReplayedChange(
    String sql,
    TableName table,
    RowChange change,
    List<String> columns,
    @Nullable List<String> beyondKey) {
  /** The table in the texts for the other servers. */
  private static final String TABLE = "\"shardmark\"";

  private static final String RETURNING = " RETURNING (" + TABLE + ".*)::pg_catalog.text";

  public ReplayedChange {
    columns = List.copyOf(columns);
    beyondKey = beyondKey == null ? null : List.copyOf(beyondKey);
  }

  /** Columns that each shard has filled for itself: the first one's values are for all. */
  public static ReplayedChange refilling(TableName table, List<String> columns) {
    String sql =
        "SELECT (%1$s.*)::pg_catalog.text, (%1$s.*)::pg_catalog.text FROM %2$s AS %1$s"
            .formatted(TABLE, table.quoted());
    return new ReplayedChange(sql, table, RowChange.UPDATE, columns, columns);
  }

  /**
   * The rows that the COPY just before has put into the table, if it has put any: those with the
   * latest command of the transactions under way in this session, of which each holds a lock on its
   * number (PG18 §53.13 view-pg-locks).
   *
   * @param given columns that the data have
   */
  static ReplayedChange copied(Table table, List<String> given) {
    String sql =
        """
        WITH own AS (SELECT (%1$s.*)::pg_catalog.text AS line, \
        %1$s.cmin::pg_catalog.text::pg_catalog.int8 AS command FROM %2$s AS %1$s \
        WHERE %1$s.xmin = ANY (ARRAY(SELECT transactionid FROM pg_catalog.pg_locks \
        WHERE locktype = 'transactionid' AND granted AND pid = pg_catalog.pg_backend_pid()))) \
        SELECT line FROM own WHERE command = (SELECT pg_catalog.max(command) FROM own)\
        """
            .formatted(TABLE, table.name().quoted());
    return new ReplayedChange(sql, table.name(), RowChange.INSERT, columns(table, given), null);
  }

  /** Those that an INSERT of whole rows gives values to, if others have the same default. */
  static List<String> columns(Table table, Collection<String> given) {
    return table.columns().stream()
        .filter(column -> column.filling() != Filling.GENERATED)
        .filter(c -> c.filling() == Filling.MAY_DIFFER || given.contains(c.name()))
        .map(Column::name)
        .toList();
  }

  /** So many columns of type text are added: the row as it is, and before an UPDATE as it was. */
  public int hiddenColumns() {
    return change == RowChange.UPDATE ? 2 : 1;
  }

  /** Whether the other servers must know the rows' key. */
  public boolean needsKey() {
    return change != RowChange.INSERT || beyondKey != null;
  }

  /**
   * A query of the columns of a unique key without NULLs, the primary key if there is one; no rows
   * if there is no such key.
   */
  public String keyQuery() {
    return """
    SELECT a.attname FROM pg_catalog.pg_index i, pg_catalog.pg_attribute a \
    WHERE a.attrelid = i.indrelid \
    AND a.attnum = ANY ((i.indkey::pg_catalog.int2[])[0:i.indnkeyatts - 1]) AND i.indexrelid = (\
    SELECT k.indexrelid FROM pg_catalog.pg_index k \
    WHERE k.indrelid = %s::pg_catalog.regclass AND k.indisunique AND k.indimmediate \
    AND k.indisvalid AND k.indpred IS NULL AND k.indexprs IS NULL AND NOT EXISTS (\
    SELECT FROM pg_catalog.pg_attribute n WHERE n.attrelid = k.indrelid \
    AND n.attnum = ANY (k.indkey::pg_catalog.int2[]) AND NOT n.attnotnull) \
    ORDER BY k.indisprimary DESC, k.indexrelid LIMIT 1)\
    """
        .formatted(literal(table.quoted()));
  }

  /**
   * The statement for the other servers, which returns the rows as they are there.
   *
   * @param key columns of the key, none if there is no key
   * @param rows arrays as literals, of the rows that the first server has returned: those of each
   *     hidden column
   */
  public String replay(List<String> key, List<String> rows) {
    return switch (change) {
      case INSERT -> insert(key, rows.get(0));
      case UPDATE ->
          "UPDATE %s AS %s SET %s FROM %s%s"
              .formatted(
                  table.quoted(),
                  TABLE,
                  list(columns, column -> column + " = (given.made)." + column),
                  given(key, rows.get(1), rows.get(0)),
                  RETURNING);
      case DELETE ->
          "DELETE FROM %s AS %s USING %s%s"
              .formatted(table.quoted(), TABLE, given(key, rows.get(0), null), RETURNING);
    };
  }

  private String insert(List<String> key, String made) {
    String update =
        beyondKey == null
            ? ""
            : " ON CONFLICT (%s) DO UPDATE SET %s"
                .formatted(
                    list(key, column -> column),
                    list(beyondKey, column -> column + " = excluded." + column));
    return "INSERT INTO %s AS %s (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM %s%s%s"
        .formatted(
            table.quoted(),
            TABLE,
            list(columns, column -> column),
            list(columns, column -> "(given.made)." + column),
            composites(made, null),
            update,
            RETURNING);
  }

  /** Old and new rows, and WHERE that finds the old ones. */
  private String given(List<String> key, String old, @Nullable String made) {
    if (!key.isEmpty()) {
      String equal =
          key.stream()
              .map(TableName::quoted)
              .map(column -> TABLE + "." + column + " = (given.old)." + column)
              .collect(Collectors.joining(" AND "));
      return composites(old, made) + " WHERE " + equal;
    }
    // Rows that are equal in all columns are interchangeable: they are counted.
    return """
    (SELECT here.place, here.part, there.made::%1$s AS made FROM (\
    SELECT place, part, line, pg_catalog.row_number() OVER (PARTITION BY line) AS number \
    FROM (SELECT ctid AS place, tableoid AS part, (%2$s.*)::pg_catalog.text AS line \
    FROM %1$s AS %2$s) AS lines) AS here JOIN (\
    SELECT line, made, pg_catalog.row_number() OVER (PARTITION BY line) AS number \
    FROM %3$s) AS there USING (line, number) OFFSET 0) AS given \
    WHERE %2$s.ctid = given.place AND %2$s.tableoid = given.part\
    """
        .formatted(table.quoted(), TABLE, lines(old, made));
  }

  private String composites(String old, @Nullable String made) {
    return "(SELECT line::%1$s AS old, made::%1$s AS made FROM %2$s OFFSET 0) AS given"
        .formatted(table.quoted(), lines(old, made));
  }

  /** Rows of two texts; both are the first array's if there is no other. */
  private static String lines(String old, @Nullable String made) {
    String first = "pg_catalog.unnest(" + old + "::pg_catalog.text[])";
    return made == null
        ? "(SELECT line, line AS made FROM " + first + " AS one (line)) AS lines"
        : "ROWS FROM (%s, pg_catalog.unnest(%s::pg_catalog.text[])) AS lines (line, made)"
            .formatted(first, made);
  }

  private static String list(List<String> columns, Function<String, String> text) {
    return columns.stream().map(TableName::quoted).map(text).collect(Collectors.joining(", "));
  }

  private static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
