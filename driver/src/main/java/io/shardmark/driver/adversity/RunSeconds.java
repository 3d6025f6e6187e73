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

  /** The mean rate of so many seconds, from each one that has them before an end. */
  List<Double> means(int from, int end, int width) {
    List<Double> means = new ArrayList<>();
    for (int first = from; first + width <= end; first++) {
      means.add((double) sum(first, first + width).successes() / width);
    }
    return means;
  }
}
