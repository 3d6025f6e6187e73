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
 * A file with a column {@code elapsed} in ms and figures beside it: {@code sys_info.csv}, devices,
 * {@code db_stats.csv}. Buckets grow as in {@link TimelineBuilder}.
 */
final class SampledFile {
  private static final int MOST = 600;
  private static final int MOST_COLUMNS = 64;
  private static final long MAX_ELAPSED_MILLIS = TimeUnit.DAYS.toMillis(366);
  private static final String DRIVER = "driver";
  private static final Set<String> NO_FIGURES = Set.of("run", "elapsed", "device", DRIVER);

  /** Of these a bucket has the largest, of others the mean. */
  private static final Set<String> MAXIMA = Set.of("gc_max_ms");

  private final Map<String, Integer> columns = new LinkedHashMap<>();
  private final List<Boolean> isMaximum = new ArrayList<>();
  private final Buckets<Cells> buckets = new Buckets<>(1000, MOST, Cells::new, Cells::add);

  /** What the rows of one bucket had, by column: sums, or maxima, and of how many. */
  private final class Cells {
    private final double[] sums = new double[columns.size()];
    private final int[] counts = new int[columns.size()];

    void add(int column, double value, int times) {
      if (isMaximum.get(column)) {
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

  /**
   * The part of a file that belongs to the measurement interval. A row tells about the time before
   * it, so one that is a little behind the end still does.
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
   * @return by driver, all in buckets of one width; that of driver 0 alone if the file tells of no
   *     drivers
   */
  static SortedMap<Integer, SampledSeries> read(Path file, Span span, List<String> missing)
      throws IOException {
    String name = "data/" + file.getFileName();
    SortedMap<Integer, SampledFile> files = new TreeMap<>();
    try (CsvRows csv = CsvRows.open(file)) {
      int elapsed = csv.column("elapsed");
      int driver = csv.column(DRIVER);
      if (elapsed < 0 || !new SampledFile().findColumns(csv)) {
        missing.add(name + " has no columns that could be shown.");
        return new TreeMap<>();
      }
      while (csv.next()) {
        long at = csv.whole(elapsed);
        long index = driver < 0 ? 0 : csv.whole(driver);
        if (index < 0 || index > Integer.MAX_VALUE) {
          csv.markBad();
          continue;
        }
        SampledFile sampled = files.get((int) index);
        if (sampled == null) {
          sampled = new SampledFile();
          sampled.findColumns(csv);
        }
        double[] values = sampled.values(csv);
        if (!csv.isBad() && at <= MAX_ELAPSED_MILLIS && span.holds(at)) {
          files.putIfAbsent((int) index, sampled);
          // A row tells about the time before it.
          sampled.add(at - span.fromMillis() - 1, values);
        }
      }
      csv.noteShortfall(name, missing);
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

  private boolean findColumns(CsvRows csv) {
    for (String column : csv.header()) {
      if (!NO_FIGURES.contains(column) && columns.size() < MOST_COLUMNS) {
        if (columns.put(column, csv.column(column)) == null) {
          isMaximum.add(MAXIMA.contains(column));
        }
      }
    }
    return !columns.isEmpty();
  }

  private double[] values(CsvRows csv) {
    double[] values = new double[columns.size()];
    int i = 0;
    for (int column : columns.values()) {
      values[i] = csv.decimal(column);
      i++;
    }
    return values;
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
    int i = 0;
    for (String column : columns.keySet()) {
      List<Double> values = new ArrayList<>();
      for (int bucket = 0; bucket < buckets.size(); bucket++) {
        Cells cells = buckets.find(0, bucket);
        values.add(cells == null ? Double.NaN : cells.figure(i));
      }
      series.put(column, Collections.unmodifiableList(values));
      i++;
    }
    return new SampledSeries(buckets.width() / 1000.0, series);
  }
}
