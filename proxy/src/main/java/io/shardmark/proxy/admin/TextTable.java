package io.shardmark.proxy.admin;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A small result: columns and rows of texts, null for NULL.
 *
 * @param rows each as long as {@code columns}
 */
public record TextTable(List<Column> columns, List<List<@Nullable String>> rows) {
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

  /** The types that values can be read as. */
  public enum Type {
    TEXT,
    INT4,
    INT8
  }

  /** A column's name and type. */
  public record Column(String name, Type type) {}

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
    private final List<Column> columns = new ArrayList<>();
    private final List<List<@Nullable String>> rows = new ArrayList<>();

    private Builder column(String name, Type type) {
      columns.add(new Column(name, type));
      return this;
    }

    Builder text(String name) {
      return column(name, Type.TEXT);
    }

    Builder int4(String name) {
      return column(name, Type.INT4);
    }

    Builder numbers(String... names) {
      for (String name : names) {
        column(name, Type.INT8);
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
