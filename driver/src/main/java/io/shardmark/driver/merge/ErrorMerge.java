package io.shardmark.driver.merge;

import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.ErrorLog;
import io.shardmark.driver.recorder.ResultFiles;
import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.reader.CsvRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** {@code errors.csv} of several drivers: the same class in the same second is added up. */
final class ErrorMerge {
  private final List<String> types;
  private final ResultFiles into;
  private final List<ErrorResult> raised = new ArrayList<>();
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

  private void add(MergedRows.PartRows row) {
    if (row.at != second) {
      endSecond();
      second = row.at;
    }
    raised.add(read(row.csv));
  }

  private void endSecond() {
    into.errors(second, ErrorLog.sum(raised));
    raised.clear();
  }

  private ErrorResult read(CsvRows csv) {
    if (!types.contains(csv.text("ttype"))) {
      throw csv.bad("is of a type that the run did not have");
    }
    if (Arrays.stream(Disposition.values())
        .noneMatch(one -> one.name().equals(csv.text("disposition")))) {
      throw csv.bad("has an unknown disposition");
    }
    return new ErrorResult(
        csv.text("ttype"),
        csv.text("disposition"),
        csv.text("sqlstate"),
        csv.whole("count"),
        csv.whole("retried"),
        0,
        List.of());
  }
}
