package io.shardmark.driver.merge;

import io.shardmark.driver.measure.LatencyHistogram;
import io.shardmark.driver.measure.SecondFigures;
import io.shardmark.driver.result.ResultFiles;
import io.shardmark.driver.results.reader.CsvRows;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * {@code per_second.csv} and {@code latency.hlog} of several drivers: the same second of all of
 * them is added up. Percentiles come from the sum of the histograms that each kept of each second.
 */
final class SecondMerge implements Closeable {
  private static final List<String> COUNTS =
      List.of("count", "committed", "rolledback", "errors", "retries");

  private final List<String> types;
  private final ResultFiles into;
  private final Consumer<String> warn;

  /** By the driver's number. */
  private final Map<Integer, SecondSource> sources = new TreeMap<>();

  private long second;
  private List<Sum> sums;

  /** The sum of one type in one second. */
  private static final class Sum {
    final long[] counts = new long[COUNTS.size()];
    final Histogram histogram = LatencyHistogram.newHistogram();
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

  private SecondMerge(PartSet set, List<String> types, ResultFiles into, Consumer<String> warn)
      throws IOException {
    this.types = types;
    this.into = into;
    this.warn = warn;
    sums = ofEachType(Sum::new);
    for (Part part : set.parts()) {
      sources.put(part.index(), new SecondSource(part, types, warn));
    }
  }

  private <T> List<T> ofEachType(Supplier<T> one) {
    return Stream.generate(one).limit(types.size()).toList();
  }

  /**
   * Reads all files to their ends.
   *
   * @param types names, at their index
   * @param warn receives one line for a driver whose files end before the others', or do not have
   *     the latencies of what they count
   */
  static void merge(PartSet set, List<String> types, ResultFiles into, Consumer<String> warn)
      throws IOException {
    try (SecondMerge merge = new SecondMerge(set, types, into, warn)) {
      merge.source(set.first()).start().ifPresent(into::begin);
      MergedRows.forEach(set, "per_second.csv", "second", merge::add);
      merge.end();
    }
  }

  private SecondSource source(Part part) {
    return Objects.requireNonNull(sources.get(part.index()));
  }

  private void add(MergedRows.Rows row) throws IOException {
    SecondSource source = source(row.part);
    int type = source.type(row);
    if (row.at != second) {
      endSecond();
    }
    CsvRows csv = row.csv;
    Sum sum = sums.get(type);
    for (int i = 0; i < COUNTS.size(); i++) {
      sum.counts[i] += csv.whole(COUNTS.get(i));
    }
    long successes = csv.whole("committed") + csv.whole("rolledback");
    if (successes > 0) {
      sum.sumNanos += csv.millisAsNanos("sum_ms");
      sum.minNanos = Math.min(sum.minNanos, csv.millisAsNanos("min_ms"));
      sum.maxNanos = Math.max(sum.maxNanos, csv.millisAsNanos("max_ms"));
    }
    source.addHistogram(type, successes, sum.histogram);
  }

  private void endSecond() {
    into.second(
        second,
        sums.stream().map(Sum::figures).toList(),
        sums.stream().map(sum -> sum.histogram).toList());
    sums = ofEachType(Sum::new);
    second++;
  }

  private void end() {
    long most = sources.values().stream().mapToLong(SecondSource::seconds).max().orElse(0);
    if (most > 0) {
      endSecond();
    }
    for (SecondSource source : sources.values()) {
      if (source.seconds() < most) {
        warn.accept(
            "%s: data/per_second.csv ends after %d s, before the others: its later seconds are missing"
                .formatted(source.directory(), source.seconds()));
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (SecondSource source : sources.values()) {
      source.close();
    }
  }
}
