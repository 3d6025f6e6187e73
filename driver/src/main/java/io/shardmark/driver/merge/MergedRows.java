package io.shardmark.driver.merge;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.results.reader.CsvRows;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A file that several drivers have, as one: the row with the lowest number in a column is next, of
 * equal ones that of the first driver; those of one driver stay in their order. Holds one row of
 * each.
 */
final class MergedRows implements Closeable {
  private static final String ELAPSED = "elapsed";

  private final List<PartRows> open = new ArrayList<>();
  private final PriorityQueue<PartRows> queue =
      new PriorityQueue<>(
          Comparator.<PartRows>comparingLong(rows -> rows.at)
              .thenComparingInt(rows -> rows.part.index()));

  interface PartReader {
    void of(PartRows row) throws IOException;
  }

  /** One driver's file, at a row. */
  static final class PartRows {
    final MergedPart part;
    final CsvRows csv;
    private final String column;

    /** When the observers began to write, before the start of all; 0 if they did not. */
    private final long before;

    private final @Nullable Consumer<String> warn;
    long at;

    private PartRows(
        MergedPart part, CsvRows csv, String column, long before, @Nullable Consumer<String> warn) {
      this.part = part;
      this.csv = csv;
      this.column = column;
      this.before = before;
      this.warn = warn;
    }

    private boolean next() throws IOException {
      try {
        while (csv.next()) {
          at = csv.whole(column) - before;
          if (at > 0 || warn == null) {
            return true;
          }
        }
      } catch (ConfigException e) {
        if (warn == null) {
          throw e;
        }
        warn.accept(e.getMessage() + ": its later rows are missing");
      }
      return false;
    }

    /** All fields, on the time of all. */
    List<String> fields() {
      List<String> fields = new ArrayList<>(csv.fields());
      fields.set(csv.column(column), Long.toString(at));
      return fields;
    }
  }

  /** Goes through a file of which each row must be one; of a driver without it there are none. */
  static void forEach(PartSet set, String name, String column, PartReader reader)
      throws IOException {
    try (MergedRows merged = new MergedRows()) {
      for (MergedPart part : set.parts()) {
        CsvRows csv = CsvRows.openWhole(part.data().resolve(name));
        merged.add(new PartRows(part, csv, column, 0, null));
      }
      merged.forEach(reader);
    }
  }

  /**
   * Takes in what a driver saw from the common start on. An invalid row ends it.
   *
   * @param warn receives one line then
   */
  PartRows addObserved(MergedPart part, Path file, Consumer<String> warn) throws IOException {
    CsvRows csv = CsvRows.openWhole(file);
    long before = Math.round(part.driver().observedBeforeMillis());
    return add(new PartRows(part, csv, ELAPSED, before, warn));
  }

  private PartRows add(PartRows rows) throws IOException {
    open.add(rows);
    if (rows.next()) {
      queue.add(rows);
    }
    return rows;
  }

  /** Whether there are rows of a driver. */
  boolean has(PartRows rows) {
    return queue.contains(rows);
  }

  /** As if they were not there. */
  void leaveOut(PartRows rows) {
    queue.remove(rows);
  }

  void forEach(PartReader reader) throws IOException {
    while (!queue.isEmpty()) {
      PartRows first = queue.remove();
      reader.of(first);
      if (first.next()) {
        queue.add(first);
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (PartRows rows : open) {
      rows.csv.close();
    }
  }
}
