package io.shardmark.driver.results.reader;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** {@code data/result.csv}, read once: totals by type, the timeline and latencies over time. */
final class ResultRowsFile {
  /** Exact for every whole millisecond up to 16 s, in 256 KB for each histogram. */
  private static final int SIGNIFICANT_DIGITS = 4;

  private static final long MAX_LATENCY_MILLIS = TimeUnit.DAYS.toMillis(1);

  private final TypeNames names;
  private final Map<Integer, Histogram> latency = new HashMap<>();
  private final Map<Integer, Histogram> service = new HashMap<>();
  private final TimelineBuilder timeline = new TimelineBuilder();
  private final BucketHistograms histograms = new BucketHistograms(1000);
  private long rows;
  private long lastElapsedMillis;

  ResultRowsFile(TypeNames names) {
    this.names = names;
  }

  void read(Path file, List<String> missing) throws IOException {
    CsvRows.readEach(file, List.of("elapsed", "latency", "ttype"), missing, this::add);
  }

  private boolean add(CsvRows csv) {
    long at = csv.time("elapsed", TimeUnit.MILLISECONDS);
    // A clock that was set back makes negative latencies in BenchmarkSQL.
    long latencyMillis = Math.max(0, csv.whole("latency"));
    long serviceMillis = Math.max(0, csv.whole("dblatency"));
    TypeData.TypeCounts one =
        new TypeData.TypeCounts(
            1,
            csv.whole("rbk") == 0 ? 0 : 1,
            csv.whole("error") == 0 ? 0 : 1,
            0,
            csv.whole("dskipped"));
    int type = csv.isBad() ? -1 : names.index(csv.text("ttype"));
    if (type < 0 || at < 0 || latencyMillis > MAX_LATENCY_MILLIS || !one.areSound()) {
      return false;
    }
    rows++;
    lastElapsedMillis = Math.max(lastElapsedMillis, at);
    timeline.add(type, at, one, (double) (one.successes() * latencyMillis), List.of());
    if (one.successes() > 0) {
      record(latency, type, latencyMillis);
      record(service, type, Math.min(serviceMillis, MAX_LATENCY_MILLIS));
      histograms.record(type, at, latencyMillis);
    }
    return true;
  }

  private static void record(Map<Integer, Histogram> histograms, int type, long millis) {
    histograms.computeIfAbsent(type, t -> new Histogram(SIGNIFICANT_DIGITS)).recordValue(millis);
  }

  long rows() {
    return rows;
  }

  double lastElapsedSeconds() {
    return lastElapsedMillis / 1000.0;
  }

  LatencyDistribution latency(int type) {
    return LatencyDistribution.of(latency.get(type), 1);
  }

  LatencyDistribution service(int type) {
    return LatencyDistribution.of(service.get(type), 1);
  }

  TimelineBuilder timeline() {
    return timeline;
  }

  BucketHistograms histograms() {
    return histograms;
  }
}
