package io.shardmark.proxy.admin;

import io.shardmark.proxy.protocol.RowField;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A small result: columns and rows of texts, null for NULL.
 *
 * @param rows each as long as {@code columns}
 */
public record TextTable(List<RowField> columns, List<List<@Nullable String>> rows) {
  public TextTable {
    columns = List.copyOf(columns);
    for (List<@Nullable String> row : rows) {
      if (row.size() != columns.size()) {
        throw new IllegalArgumentException(
            "a row of %d values for %d columns".formatted(row.size(), columns.size()));
      }
    }
    rows = Collections.unmodifiableList(new ArrayList<>(rows));
  }

  /**
   * A table of these rows.
   *
   * @param columns names with a space between; {@code :int4} or {@code :int8} after one that is not
   *     of type text
   */
  static TextTable of(String columns, Stream<List<@Nullable String>> rows) {
    return new TextTable(
        Stream.of(columns.split(" ", -1)).map(TextTable::column).toList(), rows.toList());
  }

  private static RowField column(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      return RowField.text(text);
    }
    String name = text.substring(0, colon);
    return text.endsWith(":int4") ? RowField.int4(name) : RowField.int8(name);
  }

  /** Values of any kind by their text form; null is NULL. */
  static List<@Nullable String> row(@Nullable Object... values) {
    List<@Nullable String> row = new ArrayList<>();
    for (@Nullable Object value : values) {
      row.add(value == null ? null : value.toString());
    }
    return Collections.unmodifiableList(row);
  }
}
