package io.shardmark.driver.adversity;

import io.shardmark.driver.results.EventWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The whole seconds of a run.
 *
 * @param seconds in order
 */
record RunSeconds(List<SecondTally> seconds) {
  RunSeconds {
    seconds = List.copyOf(seconds);
  }

  int count() {
    return seconds.size();
  }

  long successes(int second) {
    return seconds.get(second).successes();
  }

  /** All of them from one to before another; none if that is not after the first. */
  SecondTally sum(int from, int to) {
    SecondTally sum = new SecondTally();
    seconds.subList(from, Math.max(from, to)).forEach(sum::add);
    return sum;
  }

  EventWindow window(int from, int to) {
    return window(IntStream.range(from, to).boxed().toList());
  }

  /** Of seconds that need not follow each other. */
  EventWindow window(List<Integer> some) {
    SecondTally sum = new SecondTally();
    some.forEach(second -> sum.add(seconds.get(second)));
    return new EventWindow(
        some.size(), some.isEmpty() ? 0 : (double) sum.successes() / some.size(), sum.p99Millis());
  }

  /** What one second in ten exceeds, of those from one to before another; no limit without any. */
  long busy(int from, int to) {
    long[] sorted = IntStream.range(from, to).mapToLong(this::successes).sorted().toArray();
    return sorted.length == 0 ? Long.MAX_VALUE : sorted[sorted.length * 9 / 10];
  }

  /**
   * The mean rate of so many seconds, from each one that has them before an end.
   *
   * @param most that a second counts for
   */
  List<Double> means(int from, int end, int width, long most) {
    List<Double> means = new ArrayList<>();
    for (int first = from; first + width <= end; first++) {
      IntStream some = IntStream.range(first, first + width);
      means.add((double) some.mapToLong(i -> Math.min(most, successes(i))).sum() / width);
    }
    return means;
  }
}
