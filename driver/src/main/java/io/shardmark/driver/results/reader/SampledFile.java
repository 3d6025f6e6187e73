package io.shardmark.driver.results.reader;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A file with a column {@code elapsed} in ms and figures: {@code sys_info.csv}, devices, {@code
 * db_stats.csv}. Buckets grow as in {@link TimelineBuilder}.
 */
final class SampledFile {
  private static final int MOST = 600;
  private static final int MOST_COLUMNS = 64;
  private static final int MOST_DRIVERS = 1000;
  private static final String DRIVER = "driver";
  private static final Set<String> NO_FIGURES = Set.of("run", "elapsed", "device", DRIVER);

  /** Of these a bucket has the largest, of others the mean. */
  private static final Set<String> MAXIMA = Set.of("gc_max_ms");

  private final List<String> columns;
  private final Buckets<Cells> buckets = new Buckets<>(1000, MOST, Cells::new, Cells::add);

  /** What the rows of one bucket had, by column: sums, or maxima, and of how many. */
  private final class Cells {
    private final double[] sums = new double[columns.size()];
    private final int[] counts = new int[columns.size()];

    void add(int column, double value, int times) {
      if (MAXIMA.contains(columns.get(column))) {
        sums[column] = counts[column] == 0 ? value : Math.max(sums[column], value);
        counts[column] = 1;
      } else {
        sums[column] += value;
        counts[column] += times;
      }
    }

    void add(Cells later) {
      for (int column = 0; column < sums.length; column++) {
        if (later.counts[column] > 0) {
          add(column, later.sums[column], later.counts[column]);
        }
      }
    }

    double figure(int column) {
      return counts[column] == 0 ? Double.NaN : sums[column] / counts[column];
    }
  }

  private SampledFile(List<String> columns) {
    this.columns = columns;
  }

  /**
   * The part of a file that belongs to the measurement interval. A row is about the time before it,
   * so one that is a little after the end still does.
   *
   * @param fromMillis where it begins, on the file's time
   * @param lengthMillis 0 if it is not known
   */
  record Span(long fromMillis, long lengthMillis) {
    private static final long ROW_MILLIS = 1000;

    private boolean holds(long elapsedMillis) {
      long at = elapsedMillis - fromMillis;
      return at > 0 && (lengthMillis <= 0 || at < lengthMillis + ROW_MILLIS);
    }
  }

  /**
   * Reads a file that may hold what several drivers saw.
   *
   * @return by driver, all in buckets of one width; that of driver 0 alone if the file names no
   *     drivers
   */
  static SortedMap<Integer, SampledSeries> read(Path file, Span span, List<String> missing)
      throws IOException {
    String name = "data/" + file.getFileName();
    SortedMap<Integer, SampledFile> files = new TreeMap<>();
    try (CsvRows csv = CsvRows.open(file)) {
      List<String> columns =
          csv.header().stream()
              .filter(column -> !NO_FIGURES.contains(column))
              .distinct()
              .limit(MOST_COLUMNS)
              .toList();
      if (!csv.header().contains("elapsed") || columns.isEmpty()) {
        missing.add(name + " has no columns that could be shown.");
        return new TreeMap<>();
      }
      while (csv.next()) {
        long at = csv.time("elapsed", TimeUnit.MILLISECONDS);
        long index = csv.whole(DRIVER);
        if (index < 0 || index >= MOST_DRIVERS) {
          csv.markBad();
          continue;
        }
        double[] values = columns.stream().mapToDouble(csv::decimal).toArray();
        if (!csv.isBad() && span.holds(at)) {
          // A row is about the time before it.
          files
              .computeIfAbsent((int) index, unused -> new SampledFile(columns))
              .add(at - span.fromMillis() - 1, values);
        }
      }
      csv.noteShortfall(missing);
    }
    long widest =
        files.values().stream().mapToLong(sampled -> sampled.buckets.width()).max().orElse(0);
    SortedMap<Integer, SampledSeries> series = new TreeMap<>();
    files.forEach(
        (index, sampled) -> {
          while (sampled.buckets.width() < widest) {
            sampled.buckets.widen();
          }
          series.put(index, sampled.series());
        });
    return series;
  }

  private void add(long atMillis, double[] values) {
    Cells cells = buckets.at(0, atMillis);
    for (int i = 0; i < values.length; i++) {
      if (!Double.isNaN(values[i])) {
        cells.add(i, values[i], 1);
      }
    }
  }

  private SampledSeries series() {
    Map<String, List<Double>> series = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      List<Double> values = new ArrayList<>();
      for (int bucket = 0; bucket < buckets.size(); bucket++) {
        Cells cells = buckets.find(0, bucket);
        values.add(cells == null ? Double.NaN : cells.figure(i));
      }
      series.put(columns.get(i), Collections.unmodifiableList(values));
    }
    return new SampledSeries(buckets.width() / 1000.0, series);
  }
}
