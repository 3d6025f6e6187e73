package io.shardmark.driver.merge;

import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.ErrorLog.ErrorClass;
import io.shardmark.driver.measure.ErrorSecond;
import io.shardmark.driver.result.ResultFiles;
import io.shardmark.driver.results.reader.CsvRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code errors.csv} of several drivers: the same class in the same second is added up. */
final class ErrorMerge {
  private final List<String> types;
  private final List<CsvRows> open = new ArrayList<>();

  private ErrorMerge(List<String> types) {
    this.types = types;
  }

  /** Reads all files to their ends. */
  static void merge(List<Path> directories, List<String> types, ResultFiles into)
      throws IOException {
    ErrorMerge merge = new ErrorMerge(types);
    try {
      for (Path directory : directories) {
        merge.open.add(CsvRows.openWhole(directory.resolve("data/errors.csv")));
      }
      long second = merge.nextSecond();
      while (second < Long.MAX_VALUE) {
        into.errors(second, merge.take(second));
        second = merge.nextSecond();
      }
    } finally {
      for (CsvRows cursor : merge.open) {
        cursor.close();
      }
    }
  }

  private long nextSecond() {
    long next = Long.MAX_VALUE;
    for (CsvRows cursor : open) {
      if (cursor.isAtRow()) {
        next = Math.min(next, cursor.whole(cursor.column("second")));
      }
    }
    return next;
  }

  private List<ErrorSecond> take(long second) throws IOException {
    Map<ErrorClass, ErrorSecond> sums = new LinkedHashMap<>();
    for (CsvRows cursor : open) {
      while (cursor.isAtRow() && cursor.whole(cursor.column("second")) == second) {
        ErrorClass kind = kind(cursor);
        ErrorSecond raised =
            new ErrorSecond(
                kind, cursor.whole(cursor.column("count")), cursor.whole(cursor.column("retried")));
        sums.merge(kind, raised, ErrorSecond::plus);
        cursor.next();
      }
    }
    return List.copyOf(sums.values());
  }

  private ErrorClass kind(CsvRows cursor) {
    int type = types.indexOf(cursor.text(cursor.column("ttype")));
    if (type < 0) {
      throw cursor.bad("is of a type that the run did not have");
    }
    try {
      return new ErrorClass(
          type,
          Disposition.valueOf(cursor.text(cursor.column("disposition"))),
          cursor.text(cursor.column("sqlstate")));
    } catch (IllegalArgumentException e) {
      throw cursor.bad("has a disposition that is none");
    }
  }
}
