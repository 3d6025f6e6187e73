package io.shardmark.driver.measure;

import io.shardmark.driver.benchmark.TransactionType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The last seconds that are complete: counts of up to 5 s, latencies of 5 to 10 s, in two halves of
 * which the older is dropped whole. Used by one thread.
 */
public final class RecentSeconds {
  private static final int SECONDS = 5;

  private final Deque<SecondCounts> counts = new ArrayDeque<>();
  private List<LatencyHistogram> due = new ArrayList<>();
  private List<LatencyHistogram> olderDue = new ArrayList<>();
  private int inHalf;

  private record SecondCounts(List<Long> ofTypes, List<Long> ofPartitions) {}

  public RecentSeconds(List<TransactionType> types) {
    for (int type = 0; type < types.size(); type++) {
      due.add(new LatencyHistogram());
      olderDue.add(new LatencyHistogram());
    }
  }

  /** The next second. */
  public void add(Snapshot second) {
    counts.add(new SecondCounts(second.successes(), second.ofPartitions()));
    if (counts.size() > SECONDS) {
      counts.remove();
    }
    if (inHalf == SECONDS) {
      List<LatencyHistogram> oldest = olderDue;
      oldest.forEach(LatencyHistogram::reset);
      olderDue = due;
      due = oldest;
      inHalf = 0;
    }
    inHalf++;
    for (int type = 0; type < due.size(); type++) {
      second.types().get(type).addDueTo(due.get(type));
    }
  }

  /** Successes of each type. */
  public SuccessCounts successes() {
    return SuccessCounts.sum(
        counts.stream().map(SecondCounts::ofTypes).toList(),
        TimeUnit.SECONDS.toNanos(counts.size()));
  }

  /** Successes a second at home in a partition. */
  public double ofPartitionPerSecond(int partition) {
    return counts.stream().mapToLong(one -> one.ofPartitions().get(partition)).average().orElse(0);
  }

  /** Due-time latencies of a type. */
  public LatencyHistogram due(int type) {
    LatencyHistogram sum = olderDue.get(type).copy();
    sum.add(due.get(type));
    return sum;
  }

  /** Due-time latencies of all types. */
  LatencyHistogram due() {
    LatencyHistogram sum = new LatencyHistogram();
    due.forEach(sum::add);
    olderDue.forEach(sum::add);
    return sum;
  }
}
