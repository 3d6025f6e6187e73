package io.shardmark.driver.results.reader;

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
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * {@code data/errors.csv}: classes of errors, and when they were raised. Memory is bounded: what a
 * file has of too many classes is put together.
 */
final class ErrorsFile {
  private static final int MOST = TimelineBuilder.MOST;

  /** More lines than colours could not be distinguished. */
  static final int MOST_LINES = 8;

  private static final int MOST_CLASSES = 500;
  private static final long MAX_SECOND = TimeUnit.DAYS.toSeconds(366);
  private static final String OTHER = "other";

  private final Map<Kind, Total> totals = new LinkedHashMap<>();
  private final Map<String, Integer> lines = new LinkedHashMap<>();
  private final Buckets<Raised> buckets = new Buckets<>(1, MOST, Raised::new, Raised::add);

  private record Kind(String type, String disposition, String sqlState) {}

  private static final class Total {
    private final long firstSecond;
    private long count;
    private long retried;

    Total(long firstSecond) {
      this.firstSecond = firstSecond;
    }
  }

  /** What was raised of one class in one bucket. */
  private static final class Raised {
    private long count;
    private long retried;

    void add(Raised later) {
      count += later.count;
      retried += later.retried;
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
      csv.noteShortfall("data/errors.csv", missing);
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
    String counted = lines.size() < MOST_CLASSES || lines.containsKey(name) ? name : OTHER;
    int next = lines.size();
    Raised bucket = buckets.at(lines.computeIfAbsent(counted, unused -> next), second);
    bucket.count += raised;
    bucket.retried += again;
  }

  private long sum(int line) {
    return buckets.of(line).stream().mapToLong(bucket -> bucket.count).sum();
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
   * @param timelineWidthSeconds the width of other charts' buckets: these are at least as wide
   * @param intervalSeconds how much time it covers; what was raised later is in its last bucket
   */
  ErrorTimeline timeline(double timelineWidthSeconds, double intervalSeconds) {
    if (lines.isEmpty()) {
      return ErrorTimeline.NONE;
    }
    while (buckets.width() < timelineWidthSeconds || intervalSeconds / buckets.width() > MOST) {
      buckets.widen();
    }
    int count = Math.max(1, (int) Math.ceil(intervalSeconds / buckets.width() - 1e-6));
    List<Map.Entry<String, Integer>> named =
        lines.entrySet().stream()
            .filter(line -> !line.getKey().equals(OTHER))
            .sorted(
                Comparator.comparingLong((Map.Entry<String, Integer> line) -> sum(line.getValue()))
                    .reversed())
            .toList();
    List<Integer> others = new ArrayList<>();
    Optional.ofNullable(lines.get(OTHER)).filter(line -> sum(line) > 0).ifPresent(others::add);
    boolean all = named.size() <= MOST_LINES && others.isEmpty();
    int own = all ? named.size() : Math.min(named.size(), MOST_LINES - 1);
    List<ErrorTimeline.Line> finished = new ArrayList<>();
    for (Map.Entry<String, Integer> line : named.subList(0, own)) {
      finished.add(line(line.getKey(), List.of(line.getValue()), count));
    }
    named.subList(own, named.size()).forEach(line -> others.add(line.getValue()));
    if (others.stream().anyMatch(line -> sum(line) > 0)) {
      finished.add(line("all others", others, count));
    }
    return new ErrorTimeline(buckets.width(), finished);
  }

  private ErrorTimeline.Line line(String name, List<Integer> numbers, int count) {
    return new ErrorTimeline.Line(
        name,
        covered(numbers, count, bucket -> bucket.count),
        covered(numbers, count, bucket -> bucket.retried));
  }

  private List<Long> covered(List<Integer> numbers, int count, ToLongFunction<Raised> figure) {
    long[] values = new long[count];
    for (int line : numbers) {
      for (int i = 0; i < buckets.size(); i++) {
        Raised bucket = buckets.find(line, i);
        values[Math.min(i, count - 1)] += bucket == null ? 0 : figure.applyAsLong(bucket);
      }
    }
    return Arrays.stream(values).boxed().toList();
  }
}
