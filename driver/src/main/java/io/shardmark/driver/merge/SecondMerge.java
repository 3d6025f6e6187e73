package io.shardmark.driver.merge;

import io.shardmark.driver.measure.Snapshot;
import io.shardmark.driver.measure.TypeStatistics;
import io.shardmark.driver.recorder.ResultFiles;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * {@code per_second.csv} and {@code latency.hlog} of several drivers: the same second of all of
 * them is added up. Percentiles come from the sum of the histograms that each kept of each second.
 */
final class SecondMerge implements Closeable {
  private final List<SecondSource> sources = new ArrayList<>();
  private final Snapshot sum;

  private SecondMerge(PartSet set, List<String> types, Consumer<String> warn) throws IOException {
    sum =
        new Snapshot(
            set.first().totals().statistics().types().stream().map(TypeStatistics::type).toList(),
            0);
    for (MergedPart part : set.parts()) {
      sources.add(new SecondSource(part, types, warn));
    }
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
    try (SecondMerge merge = new SecondMerge(set, types, warn)) {
      merge.sources.get(0).start().ifPresent(into::begin);
      long seconds = 0;
      while (merge.addNext()) {
        into.second(seconds, merge.sum);
        seconds++;
      }
      for (SecondSource source : merge.sources) {
        source.warnIfShorter(seconds);
      }
    }
  }

  private boolean addNext() throws IOException {
    sum.reset();
    boolean found = false;
    for (SecondSource source : sources) {
      found |= source.addNext(sum);
    }
    return found;
  }

  @Override
  public void close() throws IOException {
    for (SecondSource source : sources) {
      source.close();
    }
  }
}
