package io.shardmark.driver.report;

import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.ErrorResult.Example;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * {@code data/errors.csv}: classes of errors, and when they were raised. Memory is bounded: what a
 * file has of too many classes is put together.
 */
final class ErrorsFile {
  private static final int MOST = TimelineBuilder.MOST;

  /** More lines than colours would not be told apart. */
  static final int MOST_LINES = 8;

  private static final int MOST_CLASSES = 500;
  private static final long MAX_SECOND = TimeUnit.DAYS.toSeconds(366);
  private static final String OTHER = "other";

  private final Map<Kind, Total> totals = new LinkedHashMap<>();
  private final Map<String, Counts> lines = new LinkedHashMap<>();
  private long widthSeconds = 1;

  private record Kind(String type, String disposition, String sqlState) {}

  private static final class Total {
    private final long firstSecond;
    private long count;
    private long retried;

    Total(long firstSecond) {
      this.firstSecond = firstSecond;
    }
  }

  /** One class over time. */
  private static final class Counts {
    private final long[] raised = new long[MOST];
    private final long[] retried = new long[MOST];

    long sum() {
      return Arrays.stream(raised).sum();
    }

    void add(Counts other) {
      for (int i = 0; i < MOST; i++) {
        raised[i] += other.raised[i];
        retried[i] += other.retried[i];
      }
    }

    void widen() {
      halve(raised);
      halve(retried);
    }

    private static void halve(long[] values) {
      for (int i = 0; i < MOST; i++) {
        values[i] = 2 * i + 1 < MOST ? values[2 * i] + values[2 * i + 1] : 0;
      }
    }
  }

  void read(Path file, List<String> missing) throws IOException {
    try (CsvRows csv = CsvRows.open(file)) {
      int second = csv.column("second");
      int type = csv.column("ttype");
      int disposition = csv.column("disposition");
      int sqlState = csv.column("sqlstate");
      int count = csv.column("count");
      int retried = csv.column("retried");
      if (second < 0 || type < 0 || disposition < 0 || sqlState < 0 || count < 0) {
        missing.add("data/errors.csv has not its columns: it was not read.");
        return;
      }
      while (csv.next()) {
        long at = csv.whole(second);
        long raised = csv.whole(count);
        long again = csv.whole(retried);
        if (csv.isBad() || at < 0 || at > MAX_SECOND || raised < 0 || again < 0) {
          csv.markBad();
          continue;
        }
        Kind kind = new Kind(csv.text(type), csv.text(disposition), csv.text(sqlState));
        addTotal(kind, at, raised, again);
        addToLine((kind.disposition() + " " + kind.sqlState()).strip(), at, raised, again);
      }
      Shortfall.note(csv, "data/errors.csv", missing);
    }
  }

  private void addTotal(Kind kind, long second, long raised, long again) {
    Kind counted =
        totals.size() < MOST_CLASSES || totals.containsKey(kind)
            ? kind
            : new Kind(OTHER, OTHER, OTHER);
    Total total = totals.computeIfAbsent(counted, unused -> new Total(second));
    total.count += raised;
    total.retried += again;
  }

  private void addToLine(String name, long second, long raised, long again) {
    while (second / widthSeconds >= MOST) {
      widen();
    }
    String counted = lines.size() < MOST_CLASSES || lines.containsKey(name) ? name : OTHER;
    Counts counts = lines.computeIfAbsent(counted, unused -> new Counts());
    int bucket = (int) (second / widthSeconds);
    counts.raised[bucket] += raised;
    counts.retried[bucket] += again;
  }

  private void widen() {
    widthSeconds *= 2;
    lines.values().forEach(Counts::widen);
  }

  /** All classes, the most frequent first; without example texts, which the file has not. */
  List<ErrorResult> classes() {
    return totals.entrySet().stream()
        .sorted(
            Comparator.comparingLong((Map.Entry<Kind, Total> e) -> e.getValue().count).reversed())
        .map(
            entry ->
                new ErrorResult(
                    entry.getKey().type(),
                    entry.getKey().disposition(),
                    entry.getKey().sqlState(),
                    entry.getValue().count,
                    entry.getValue().retried,
                    0,
                    List.of(new Example("", 1000L * entry.getValue().firstSecond))))
        .toList();
  }

  /**
   * The finished timeline.
   *
   * @param timelineWidthSeconds the width of other charts' buckets: ours are at least as wide
   * @param intervalSeconds how much time it covers; what was raised later is in its last bucket
   */
  ErrorTimeline timeline(double timelineWidthSeconds, double intervalSeconds) {
    if (lines.isEmpty()) {
      return ErrorTimeline.NONE;
    }
    while (widthSeconds < timelineWidthSeconds || intervalSeconds / widthSeconds > MOST) {
      widen();
    }
    int buckets = Math.max(1, (int) Math.ceil(intervalSeconds / widthSeconds - 1e-6));
    Counts others = lines.getOrDefault(OTHER, new Counts());
    List<Map.Entry<String, Counts>> named =
        lines.entrySet().stream()
            .filter(line -> !line.getKey().equals(OTHER))
            .sorted(
                Comparator.comparingLong((Map.Entry<String, Counts> line) -> line.getValue().sum())
                    .reversed())
            .toList();
    boolean all = named.size() <= MOST_LINES && others.sum() == 0;
    int own = all ? named.size() : Math.min(named.size(), MOST_LINES - 1);
    List<ErrorTimeline.Line> finished = new ArrayList<>();
    for (Map.Entry<String, Counts> line : named.subList(0, own)) {
      finished.add(line(line.getKey(), line.getValue(), buckets));
    }
    named.subList(own, named.size()).forEach(line -> others.add(line.getValue()));
    if (others.sum() > 0) {
      finished.add(line("all others", others, buckets));
    }
    return new ErrorTimeline(widthSeconds, finished);
  }

  private static ErrorTimeline.Line line(String name, Counts counts, int buckets) {
    return new ErrorTimeline.Line(
        name, covered(counts.raised, buckets), covered(counts.retried, buckets));
  }

  private static List<Long> covered(long[] values, int buckets) {
    List<Long> covered = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      if (i < buckets) {
        covered.add(values[i]);
      } else {
        covered.set(buckets - 1, covered.get(buckets - 1) + values[i]);
      }
    }
    return covered;
  }
}
