package io.shardmark.driver.merge;

import io.shardmark.driver.result.ResultFiles;
import io.shardmark.driver.results.reader.CsvRows;
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
    final CsvRows cursor;
    final int part;
    final int elapsedColumn;
    long elapsed;

    Rows(CsvRows cursor, int part) {
      this.cursor = cursor;
      this.part = part;
      elapsedColumn = cursor.column("elapsed");
      read();
    }

    void read() {
      elapsed = cursor.whole(elapsedColumn);
    }
  }

  /** Reads all files to their ends. */
  static void merge(List<Path> files, ResultFiles into) throws IOException {
    List<CsvRows> open = new ArrayList<>();
    try {
      PriorityQueue<Rows> queue =
          new PriorityQueue<>(
              Comparator.<Rows>comparingLong(rows -> rows.elapsed)
                  .thenComparingInt(rows -> rows.part));
      for (Path file : files) {
        CsvRows cursor = CsvRows.openWhole(file);
        open.add(cursor);
        if (cursor.isAtRow()) {
          queue.add(new Rows(cursor, open.size()));
        }
      }
      while (!queue.isEmpty()) {
        Rows first = queue.remove();
        into.row(first.cursor.row());
        if (first.cursor.next()) {
          first.read();
          queue.add(first);
        }
      }
    } finally {
      for (CsvRows cursor : open) {
        cursor.close();
      }
    }
  }
}
