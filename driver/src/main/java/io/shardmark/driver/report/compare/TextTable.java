package io.shardmark.driver.report.compare;

import io.shardmark.driver.report.html.Texts;
import java.util.ArrayList;
import java.util.List;

/**
 * A table as texts, for the page and for Markdown.
 *
 * @param caption may be empty
 * @param columns heads
 * @param rows each as long as the columns
 */
public record TextTable(String caption, List<Column> columns, List<List<String>> rows) {
  /** How the cells of a column stand. */
  public enum Kind {
    TEXT,
    NUMBER,
    PROSE
  }

  /** The head of a column. */
  public record Column(String name, Kind kind) {}

  static Builder named(String caption) {
    return new Builder(caption);
  }

  /** Builds a table row by row. */
  static final class Builder {
    private final String caption;
    private final List<Column> columns = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    private Builder(String caption) {
      this.caption = caption;
    }

    Builder columns(Kind kind, String... names) {
      return columns(kind, List.of(names));
    }

    Builder columns(Kind kind, List<String> names) {
      names.forEach(name -> columns.add(new Column(name, kind)));
      return this;
    }

    Builder row(List<String> cells) {
      rows.add(List.copyOf(cells));
      return this;
    }

    /** Leaves out columns in which no row has anything. */
    Builder withoutEmptyColumns() {
      for (int i = columns.size() - 1; i >= 0 && !rows.isEmpty(); i--) {
        int at = i;
        if (rows.stream().allMatch(row -> row.get(at).equals(Texts.NONE))) {
          columns.remove(at);
          rows.replaceAll(row -> without(row, at));
        }
      }
      return this;
    }

    private static List<String> without(List<String> row, int index) {
      List<String> rest = new ArrayList<>(row);
      rest.remove(index);
      return List.copyOf(rest);
    }

    TextTable build() {
      return new TextTable(caption, List.copyOf(columns), List.copyOf(rows));
    }
  }
}
