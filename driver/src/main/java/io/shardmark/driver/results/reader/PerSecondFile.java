package io.shardmark.driver.results.reader;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code data/per_second.csv}: exact counts over time, whichever rows were written. */
final class PerSecondFile {
  private final TypeNames names;
  private final TimelineBuilder timeline = new TimelineBuilder();
  private long seconds;

  PerSecondFile(TypeNames names) {
    this.names = names;
  }

  void read(Path file, List<String> missing) throws IOException {
    CsvRows.readEach(file, List.of("second", "ttype", "count"), missing, this::add);
  }

  private boolean add(CsvRows csv) {
    long at = csv.time("second", TimeUnit.SECONDS);
    TypeData.TypeCounts counts =
        new TypeData.TypeCounts(
            csv.whole("count"),
            csv.whole("rolledback"),
            csv.whole("errors"),
            csv.whole("retries"),
            0);
    double sumMillis = csv.decimal("sum_ms");
    List<Double> percentiles =
        List.of(csv.decimal("p50_ms"), csv.decimal("p95_ms"), csv.decimal("p99_ms"));
    int type = csv.isBad() ? -1 : names.index(csv.text("ttype"));
    if (type < 0 || at < 0 || !counts.areSound()) {
      return false;
    }
    seconds = Math.max(seconds, at + 1);
    timeline.add(type, at * 1000, counts, sumMillis, percentiles);
    return true;
  }

  /** How many there are. */
  long seconds() {
    return seconds;
  }

  TimelineBuilder timeline() {
    return timeline;
  }
}
