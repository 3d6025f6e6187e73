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
  private static final String OTHER = "other";

  /** By type, disposition and SQLSTATE. */
  private final Map<List<String>, ErrorResult> totals = new LinkedHashMap<>();

  private final Map<String, Integer> lines = new LinkedHashMap<>();
  private final Buckets<RaisedError> buckets =
      new Buckets<>(1, MOST, RaisedError::new, RaisedError::add);

  /** What was raised of one class in one bucket. */
  private static final class RaisedError {
    private long count;
    private long retried;

    void add(RaisedError later) {
      count += later.count;
      retried += later.retried;
    }
  }

  void read(Path file, List<String> missing) throws IOException {
    CsvRows.readEach(
        file, List.of("second", "ttype", "disposition", "sqlstate", "count"), missing, this::add);
  }

  private boolean add(CsvRows csv) {
    long at = csv.time("second", TimeUnit.SECONDS);
    long raised = csv.whole("count");
    long again = csv.whole("retried");
    if (csv.isBad() || at < 0 || raised < 0 || again < 0) {
      return false;
    }
    String disposition = csv.text("disposition");
    String sqlState = csv.text("sqlstate");
    addTotal(List.of(csv.text("ttype"), disposition, sqlState), at, raised, again);
    addToLine((disposition + " " + sqlState).strip(), at, raised, again);
    return true;
  }

  private void addTotal(List<String> kind, long second, long raised, long again) {
    List<String> counted =
        totals.size() < MOST_CLASSES || totals.containsKey(kind)
            ? kind
            : List.of(OTHER, OTHER, OTHER);
    totals.merge(
        counted,
        new ErrorResult(
            counted.get(0),
            counted.get(1),
            counted.get(2),
            raised,
            again,
            0,
            List.of(new Example("", 1000L * second))),
        (sum, next) -> sum.plus(next, 1));
  }

  private void addToLine(String name, long second, long raised, long again) {
    String counted = lines.size() < MOST_CLASSES || lines.containsKey(name) ? name : OTHER;
    int next = lines.size();
    RaisedError bucket = buckets.at(lines.computeIfAbsent(counted, unused -> next), second);
    bucket.count += raised;
    bucket.retried += again;
  }

  private long sum(int line) {
    return buckets.of(line).stream().mapToLong(bucket -> bucket.count).sum();
  }

  /** All classes, the most frequent first; without example texts, which the file has not. */
  List<ErrorResult> classes() {
    return totals.values().stream()
        .sorted(Comparator.comparingLong(ErrorResult::count).reversed())
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
    List<ErrorTimeline.ErrorLine> finished = new ArrayList<>();
    for (Map.Entry<String, Integer> line : named.subList(0, own)) {
      finished.add(line(line.getKey(), List.of(line.getValue()), count));
    }
    named.subList(own, named.size()).forEach(line -> others.add(line.getValue()));
    if (others.stream().anyMatch(line -> sum(line) > 0)) {
      finished.add(line("all others", others, count));
    }
    return new ErrorTimeline(buckets.width(), finished);
  }

  private ErrorTimeline.ErrorLine line(String name, List<Integer> numbers, int count) {
    return new ErrorTimeline.ErrorLine(
        name,
        covered(numbers, count, bucket -> bucket.count),
        covered(numbers, count, bucket -> bucket.retried));
  }

  private List<Long> covered(List<Integer> numbers, int count, ToLongFunction<RaisedError> figure) {
    long[] values = new long[count];
    for (int line : numbers) {
      for (int i = 0; i < buckets.size(); i++) {
        RaisedError bucket = buckets.find(line, i);
        values[Math.min(i, count - 1)] += bucket == null ? 0 : figure.applyAsLong(bucket);
      }
    }
    return Arrays.stream(values).boxed().toList();
  }
}
