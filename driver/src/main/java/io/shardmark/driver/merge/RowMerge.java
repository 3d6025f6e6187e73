package io.shardmark.driver.merge;

import io.shardmark.driver.result.ResultFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * {@code result.csv} of several drivers as one, in time order as far as each of them was: a row at
 * a time from each.
 */
final class RowMerge {
  private RowMerge() {}

  /** One driver's rows. */
  private static final class Rows {
    final CsvCursor cursor;
    final int part;
    final int elapsedColumn;
    long elapsed;

    Rows(CsvCursor cursor, int part) {
      this.cursor = cursor;
      this.part = part;
      elapsedColumn = cursor.row() == null ? 0 : cursor.column("elapsed");
      read();
    }

    void read() {
      if (cursor.row() != null) {
        elapsed = cursor.whole(elapsedColumn);
      }
    }
  }

  /** Reads all files to their ends. */
  static void merge(List<Path> files, ResultFiles into) throws IOException {
    List<CsvCursor> open = new ArrayList<>();
    try {
      PriorityQueue<Rows> queue =
          new PriorityQueue<>(
              Comparator.<Rows>comparingLong(rows -> rows.elapsed)
                  .thenComparingInt(rows -> rows.part));
      for (Path file : files) {
        CsvCursor cursor = CsvCursor.open(file);
        open.add(cursor);
        if (cursor.row() != null) {
          queue.add(new Rows(cursor, open.size()));
        }
      }
      while (!queue.isEmpty()) {
        Rows first = queue.remove();
        String row = first.cursor.row();
        if (row != null) {
          into.row(row);
          first.cursor.next();
          first.read();
          if (first.cursor.row() != null) {
            queue.add(first);
          }
        }
      }
    } finally {
      for (CsvCursor cursor : open) {
        cursor.close();
      }
    }
  }
}
