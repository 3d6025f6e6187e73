package io.shardmark.driver.merge;

import io.shardmark.driver.measure.IntervalHistograms;
import io.shardmark.driver.measure.SecondFigures;
import io.shardmark.driver.result.ResultFiles;
import io.shardmark.driver.results.reader.CsvRows;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * {@code per_second.csv} and {@code latency.hlog} of several drivers: the same second of all of
 * them is added up. Percentiles come from the sum of the histograms that each kept of each second.
 */
final class SecondMerge implements Closeable {
  private static final int HISTOGRAM_SECONDS = 10;

  private final List<String> types;
  private final List<Part> parts = new ArrayList<>();
  private final Consumer<String> warn;
  private List<Histogram> tenSeconds = new ArrayList<>();

  /** One driver's two files. */
  private static final class Part {
    final Path directory;
    final CsvRows rows;
    final SecondHistograms histograms;
    final int secondColumn;
    final int typeColumn;
    final int firstCount;
    boolean lacksHistograms;

    Part(Path directory) throws IOException {
      this.directory = directory;
      rows = CsvRows.openWhole(directory.resolve("data/per_second.csv"));
      histograms = SecondHistograms.open(directory.resolve("data").resolve(ResultFiles.SECOND_LOG));
      boolean any = rows.isAtRow();
      secondColumn = any ? rows.column("second") : 0;
      typeColumn = any ? rows.column("ttype") : 0;
      // count,committed,rolledback,errors,retries,sum_ms,min_ms,max_ms
      firstCount = any ? rows.column("count") : 0;
    }

    boolean isAtEnd() {
      return !rows.isAtRow();
    }
  }

  /** The sum of one type in one second. */
  private static final class Sum {
    final long[] counts = new long[5];
    final Histogram histogram = newHistogram();
    long sumNanos;
    long minNanos = Long.MAX_VALUE;
    long maxNanos;

    SecondFigures figures() {
      return new SecondFigures(
          counts[0],
          counts[1],
          counts[2],
          counts[3],
          counts[4],
          sumNanos,
          counts[1] + counts[2] == 0 ? 0 : minNanos,
          maxNanos,
          percentileNanos(50),
          percentileNanos(95),
          percentileNanos(99));
    }

    /** Never above the maximum, which a bucket's upper end may be. */
    private long percentileNanos(double percentile) {
      return histogram.getTotalCount() == 0
          ? 0
          : Math.min(maxNanos, histogram.getValueAtPercentile(percentile));
    }
  }

  private static Histogram newHistogram() {
    Histogram histogram = new Histogram(1000, 2000, 3);
    histogram.setAutoResize(true);
    return histogram;
  }

  private SecondMerge(List<String> types, Consumer<String> warn) {
    this.types = types;
    this.warn = warn;
    resetTenSeconds();
  }

  /**
   * Reads all files to their ends.
   *
   * @param types names, at their index
   * @param warn receives one line for a driver whose files end before the others', or do not have
   *     the latencies of what they count
   */
  static void merge(
      List<Path> directories, List<String> types, ResultFiles into, Consumer<String> warn)
      throws IOException {
    try (SecondMerge merge = new SecondMerge(types, warn)) {
      for (Path directory : directories) {
        merge.parts.add(new Part(directory));
      }
      merge.parts.get(0).histograms.start().ifPresent(into::begin);
      merge.run(into);
    }
  }

  private void run(ResultFiles into) throws IOException {
    List<Part> here = new ArrayList<>(parts);
    long second = 0;
    while (!dropEnded(here, second)) {
      List<SecondFigures> figures = new ArrayList<>();
      for (int type = 0; type < types.size(); type++) {
        Sum sum = new Sum();
        for (Part part : here) {
          add(part, second, types.get(type), sum);
        }
        tenSeconds.get(type).add(sum.histogram);
        figures.add(sum.figures());
      }
      into.second(second, figures);
      second++;
      if (second % HISTOGRAM_SECONDS == 0) {
        tell(second - HISTOGRAM_SECONDS, second, into);
      }
    }
    tell(second - second % HISTOGRAM_SECONDS, second, into);
  }

  private void tell(long from, long until, ResultFiles into) {
    if (until > from) {
      into.interval(new IntervalHistograms(from, until - from, tenSeconds));
      resetTenSeconds();
    }
  }

  private void resetTenSeconds() {
    tenSeconds = new ArrayList<>();
    types.forEach(type -> tenSeconds.add(newHistogram()));
  }

  /** True if all have ended; a single one that has was cut short. */
  private boolean dropEnded(List<Part> here, long second) {
    List<Part> ended = here.stream().filter(Part::isAtEnd).toList();
    if (ended.size() < here.size()) {
      for (Part part : ended) {
        warn.accept(
            "%s: data/per_second.csv ends after %d s, before the others: its later seconds are missing"
                .formatted(part.directory, second));
      }
    }
    here.removeAll(ended);
    return here.isEmpty();
  }

  private void add(Part part, long second, String type, Sum sum) throws IOException {
    CsvRows rows = part.rows;
    if (part.isAtEnd()) {
      return; // cut short within a second
    }
    if (rows.whole(part.secondColumn) != second || !rows.text(part.typeColumn).equals(type)) {
      throw rows.bad("is not second %d of %s".formatted(second, type));
    }
    for (int i = 0; i < sum.counts.length; i++) {
      sum.counts[i] += rows.whole(part.firstCount + i);
    }
    long successes = rows.whole(part.firstCount + 1) + rows.whole(part.firstCount + 2);
    if (successes > 0) {
      int times = part.firstCount + sum.counts.length;
      sum.sumNanos += rows.millisAsNanos(times);
      sum.minNanos = Math.min(sum.minNanos, rows.millisAsNanos(times + 1));
      sum.maxNanos = Math.max(sum.maxNanos, rows.millisAsNanos(times + 2));
    }
    addHistogram(part, second, type, successes, sum.histogram);
    rows.next();
  }

  private void addHistogram(Part part, long second, String type, long successes, Histogram sum)
      throws IOException {
    Optional<Histogram> found = part.histograms.take(second, type);
    found.ifPresent(sum::add);
    long count = found.map(Histogram::getTotalCount).orElse(0L);
    if (count != successes && !part.lacksHistograms) {
      part.lacksHistograms = true;
      warn.accept(
          "%s: data/%s has %d latencies of %s in second %d, expected %d: percentiles over time lack some from there on"
              .formatted(part.directory, ResultFiles.SECOND_LOG, count, type, second, successes));
    }
  }

  @Override
  public void close() throws IOException {
    for (Part part : parts) {
      part.rows.close();
      part.histograms.close();
    }
  }
}
