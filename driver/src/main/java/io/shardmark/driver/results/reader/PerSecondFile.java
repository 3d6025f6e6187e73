package io.shardmark.driver.results.reader;

import io.shardmark.driver.results.reader.TypeData.Counts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code data/per_second.csv}: exact counts over time, whichever rows were written. */
final class PerSecondFile {
  private static final long MAX_SECOND = TimeUnit.DAYS.toSeconds(366);

  private final TypeNames names;
  private final TimelineBuilder timeline = new TimelineBuilder();
  private long seconds;

  PerSecondFile(TypeNames names) {
    this.names = names;
  }

  void read(Path file, List<String> missing) throws IOException {
    try (CsvRows csv = CsvRows.open(file)) {
      int second = csv.column("second");
      int type = csv.column("ttype");
      int count = csv.column("count");
      if (second < 0 || type < 0 || count < 0) {
        missing.add("data/per_second.csv has not its columns: it was not read.");
        return;
      }
      int rolledBack = csv.column("rolledback");
      int errors = csv.column("errors");
      int retries = csv.column("retries");
      int sum = csv.column("sum_ms");
      int[] percentiles = {csv.column("p50_ms"), csv.column("p95_ms"), csv.column("p99_ms")};
      while (csv.next()) {
        long at = csv.whole(second);
        Counts counts =
            new Counts(
                csv.whole(count), csv.whole(rolledBack), csv.whole(errors), csv.whole(retries), 0);
        double sumMillis = csv.decimal(sum);
        double[] values = new double[percentiles.length];
        for (int i = 0; i < values.length; i++) {
          values[i] = csv.decimal(percentiles[i]);
        }
        int index = csv.isBad() ? -1 : names.index(csv, type);
        if (index < 0 || at < 0 || at > MAX_SECOND) {
          csv.markBad();
          continue;
        }
        seconds = Math.max(seconds, at + 1);
        timeline.addSecond(index, at, counts, sumMillis, values);
      }
      csv.noteShortfall("data/per_second.csv", missing);
    }
  }

  /** How many there are. */
  long seconds() {
    return seconds;
  }

  TimelineBuilder timeline() {
    return timeline;
  }
}
