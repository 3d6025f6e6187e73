package io.shardmark.driver.results.reader;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * {@code data/latency.hlog}, line by line. HdrHistogram's own reader ends at the first line that it
 * cannot read; this one says so and goes on.
 */
final class HistogramLogFile {
  private static final long LINE_MILLIS = 10_000;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MAX_SECONDS = TimeUnit.DAYS.toSeconds(366);

  private final TypeNames names;
  private final Map<Integer, Histogram> totals = new HashMap<>();
  private final BucketHistograms histograms = new BucketHistograms(LINE_MILLIS);

  HistogramLogFile(TypeNames names) {
    this.names = names;
  }

  void read(Path file, List<String> missing) throws IOException {
    int unreadable = 0;
    // A character for each byte: nothing in it is a malformed character.
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      String line = lines.readLine();
      while (line != null) {
        boolean data = line.startsWith(HistogramLine.TAG);
        unreadable += data && !readLine(line) ? 1 : 0;
        line = lines.readLine();
      }
    }
    if (unreadable > 0) {
      missing.add("data/latency.hlog: %d lines could not be read.".formatted(unreadable));
    }
  }

  /** False if it is no histogram of the run. */
  private boolean readLine(String line) {
    try {
      HistogramLine read = HistogramLine.of(line);
      double start = read.startSeconds();
      if (!(start >= 0 && start < MAX_SECONDS)) {
        return false;
      }
      int type = names.index(read.type());
      if (type < 0) {
        return false;
      }
      totals.computeIfAbsent(type, t -> newHistogram()).add(read.histogram());
      histograms.addNanos(type, Math.round(start * 1000), read.histogram());
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Histogram newHistogram() {
    Histogram histogram = new Histogram(1000, 2000, 3);
    histogram.setAutoResize(true);
    return histogram;
  }

  boolean isEmpty() {
    return histograms.size() == 0;
  }

  LatencyDistribution latency(int type) {
    return LatencyDistribution.of(totals.get(type), NANOS_PER_MILLI);
  }

  BucketHistograms histograms() {
    return histograms;
  }
}
