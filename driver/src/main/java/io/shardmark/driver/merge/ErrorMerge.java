package io.shardmark.driver.merge;

import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.ErrorLog.ErrorClass;
import io.shardmark.driver.measure.ErrorSecond;
import io.shardmark.driver.result.ResultFiles;
import io.shardmark.driver.results.reader.CsvRows;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code errors.csv} of several drivers: the same class in the same second is added up. */
final class ErrorMerge {
  private final List<String> types;
  private final ResultFiles into;
  private final Map<ErrorClass, ErrorSecond> sums = new LinkedHashMap<>();
  private long second;

  private ErrorMerge(List<String> types, ResultFiles into) {
    this.types = types;
    this.into = into;
  }

  /** Reads all files to their ends. */
  static void merge(PartSet set, List<String> types, ResultFiles into) throws IOException {
    ErrorMerge merge = new ErrorMerge(types, into);
    MergedRows.forEach(set, "errors.csv", "second", merge::add);
    merge.endSecond();
  }

  private void add(MergedRows.Rows row) {
    if (row.at != second) {
      endSecond();
      second = row.at;
    }
    CsvRows csv = row.csv;
    ErrorClass kind = kind(csv);
    ErrorSecond raised = new ErrorSecond(kind, csv.whole("count"), csv.whole("retried"));
    sums.merge(kind, raised, ErrorSecond::plus);
  }

  private void endSecond() {
    into.errors(second, List.copyOf(sums.values()));
    sums.clear();
  }

  private ErrorClass kind(CsvRows csv) {
    int type = types.indexOf(csv.text("ttype"));
    if (type < 0) {
      throw csv.bad("is of a type that the run did not have");
    }
    try {
      return new ErrorClass(
          type, Disposition.valueOf(csv.text("disposition")), csv.text("sqlstate"));
    } catch (IllegalArgumentException e) {
      throw csv.bad("has a disposition that is none");
    }
  }
}
