package io.shardmark.proxy.admin;

import io.shardmark.proxy.protocol.RowField;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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

  /** A table of text columns, without rows. */
  static Builder of(String... columns) {
    Builder builder = new Builder();
    for (String column : columns) {
      builder.text(column);
    }
    return builder;
  }

  /** Collects columns and rows. */
  static final class Builder {
    private final List<RowField> columns = new ArrayList<>();
    private final List<List<@Nullable String>> rows = new ArrayList<>();

    Builder text(String name) {
      columns.add(RowField.text(name));
      return this;
    }

    Builder int4(String name) {
      columns.add(RowField.int4(name));
      return this;
    }

    Builder numbers(String... names) {
      for (String name : names) {
        columns.add(RowField.int8(name));
      }
      return this;
    }

    /** Values of any kind by their text form; null is NULL. */
    Builder row(@Nullable Object... values) {
      List<@Nullable String> row = new ArrayList<>();
      for (@Nullable Object value : values) {
        row.add(value == null ? null : value.toString());
      }
      rows.add(Collections.unmodifiableList(row));
      return this;
    }

    TextTable build() {
      return new TextTable(columns, rows);
    }
  }
}
