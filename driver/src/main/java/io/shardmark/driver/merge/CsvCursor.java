package io.shardmark.driver.merge;

import io.shardmark.config.ConfigException;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of one of our CSV files, one at a time. A file that is not there has no rows. */
final class CsvCursor implements Closeable {
  /** Ours have less than 200 characters. */
  private static final int LONGEST_ROW = 4000;

  private final Path file;
  private final @Nullable BufferedReader reader;
  private final List<String> columns;
  private @Nullable String row;
  private List<String> fields = List.of();
  private long line = 1;

  private CsvCursor(Path file, @Nullable BufferedReader reader, List<String> columns) {
    this.file = file;
    this.reader = reader;
    this.columns = columns;
  }

  /** Opens a file and moves to its first row. */
  static CsvCursor open(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return new CsvCursor(file, null, List.of());
    }
    BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8);
    String header = reader.readLine();
    CsvCursor cursor =
        new CsvCursor(file, reader, header == null ? List.of() : List.of(header.split(",", -1)));
    cursor.next();
    return cursor;
  }

  /** Names of the columns; none if there is no file. */
  List<String> columns() {
    return columns;
  }

  /** The fields of the row it stands at. */
  List<String> fields() {
    return fields;
  }

  int column(String name) {
    int column = columns.indexOf(name);
    if (column < 0) {
      throw new ConfigException("%s: has no column %s".formatted(file, name));
    }
    return column;
  }

  /** The row it stands at as it is; null at the end. */
  @Nullable String row() {
    return row;
  }

  void next() throws IOException {
    row = reader == null ? null : reader.readLine();
    line++;
    String text = row;
    if (text == null) {
      return;
    }
    if (text.length() > LONGEST_ROW) {
      throw bad("is too long");
    }
    fields = List.of(text.split(",", -1));
    if (fields.size() != columns.size()) {
      throw bad("has %d fields, expected %d".formatted(fields.size(), columns.size()));
    }
  }

  String text(int column) {
    return fields.get(column);
  }

  long whole(int column) {
    try {
      return Long.parseLong(fields.get(column));
    } catch (NumberFormatException e) {
      throw bad("has '%s', expected a whole number".formatted(fields.get(column)));
    }
  }

  /** A time in milliseconds with up to three decimals, in nanoseconds. */
  long millisAsNanos(int column) {
    try {
      return Math.round(Double.parseDouble(fields.get(column)) * 1000) * 1000;
    } catch (NumberFormatException e) {
      throw bad("has '%s', expected milliseconds".formatted(fields.get(column)));
    }
  }

  ConfigException bad(String what) {
    return new ConfigException("%s: line %d %s".formatted(file, line, what));
  }

  @Override
  public void close() throws IOException {
    if (reader != null) {
      reader.close();
    }
  }
}
