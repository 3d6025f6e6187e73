package io.shardmark.driver.results.reader;

import io.shardmark.driver.results.reader.TypeData.Counts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** {@code data/result.csv}, read once: totals by type, the timeline and latencies over time. */
final class ResultRowsFile {
  /** Exact for every whole millisecond up to 16 s, in 256 KB for each histogram. */
  private static final int SIGNIFICANT_DIGITS = 4;

  private static final long MAX_ELAPSED_MILLIS = TimeUnit.DAYS.toMillis(366);
  private static final long MAX_LATENCY_MILLIS = TimeUnit.DAYS.toMillis(1);

  private final TypeNames names;
  private final List<Totals> totals = new ArrayList<>();
  private final TimelineBuilder timeline = new TimelineBuilder();
  private final BucketHistograms histograms = new BucketHistograms(1000);
  private long rows;
  private long lastElapsedMillis;

  ResultRowsFile(TypeNames names) {
    this.names = names;
  }

  /** One type's rows. */
  private static final class Totals {
    private final Histogram latency = newHistogram();
    private final Histogram service = newHistogram();
    private long all;
    private long rolledBack;
    private long errors;
    private long skipped;

    private static Histogram newHistogram() {
      Histogram histogram = new Histogram(SIGNIFICANT_DIGITS);
      histogram.setAutoResize(true);
      return histogram;
    }
  }

  void read(Path file, List<String> missing) throws IOException {
    try (CsvRows csv = CsvRows.open(file)) {
      int elapsed = csv.column("elapsed");
      int latency = csv.column("latency");
      int service = csv.column("dblatency");
      int type = csv.column("ttype");
      if (elapsed < 0 || latency < 0 || type < 0) {
        missing.add("data/result.csv has no columns elapsed, latency and ttype: it was not read.");
        return;
      }
      int rolledBack = csv.column("rbk");
      int skipped = csv.column("dskipped");
      int error = csv.column("error");
      while (csv.next()) {
        long at = csv.whole(elapsed);
        // A clock that was set back makes negative latencies in BenchmarkSQL.
        long latencyMillis = Math.max(0, csv.whole(latency));
        long serviceMillis = Math.max(0, csv.whole(service));
        boolean rolled = csv.whole(rolledBack) != 0;
        long districts = csv.whole(skipped);
        boolean failed = csv.whole(error) != 0;
        int index = csv.isBad() ? -1 : names.index(csv, type);
        if (index < 0 || at < 0 || at > MAX_ELAPSED_MILLIS || latencyMillis > MAX_LATENCY_MILLIS) {
          csv.markBad();
          continue;
        }
        Totals sum = totals(index);
        sum.rolledBack += rolled ? 1 : 0;
        sum.skipped += districts;
        add(index, at, latencyMillis, failed);
        if (!failed) {
          sum.service.recordValue(Math.min(serviceMillis, MAX_LATENCY_MILLIS));
        }
      }
      csv.noteShortfall("data/result.csv", missing);
    }
  }

  private void add(int type, long atMillis, long latencyMillis, boolean failed) {
    Totals sum = totals(type);
    sum.all++;
    rows++;
    lastElapsedMillis = Math.max(lastElapsedMillis, atMillis);
    timeline.addRow(type, atMillis, latencyMillis, failed);
    if (failed) {
      sum.errors++;
    } else {
      sum.latency.recordValue(latencyMillis);
      histograms.record(type, atMillis, latencyMillis);
    }
  }

  private Totals totals(int type) {
    while (totals.size() <= type) {
      totals.add(new Totals());
    }
    return totals.get(type);
  }

  long rows() {
    return rows;
  }

  double lastElapsedSeconds() {
    return lastElapsedMillis / 1000.0;
  }

  Counts counts(int type) {
    if (type >= totals.size()) {
      return Counts.NONE;
    }
    Totals sum = totals.get(type);
    return new Counts(sum.all, sum.rolledBack, sum.errors, 0, sum.skipped);
  }

  LatencyDistribution latency(int type) {
    return type < totals.size()
        ? new LatencyDistribution(totals.get(type).latency, 1)
        : LatencyDistribution.NONE;
  }

  LatencyDistribution service(int type) {
    return type < totals.size()
        ? new LatencyDistribution(totals.get(type).service, 1)
        : LatencyDistribution.NONE;
  }

  TimelineBuilder timeline() {
    return timeline;
  }

  BucketHistograms histograms() {
    return histograms;
  }
}
