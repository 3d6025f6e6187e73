package io.shardmark.driver.measure;

import io.shardmark.driver.results.Latency;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Makes a {@link LiveSecond} of each second. Used by the collector thread only. */
final class LiveLatencies {
  private static final int WINDOW_SECONDS = 5;

  private final Consumer<LiveSecond> listener;
  private final List<Recent> types = new ArrayList<>();
  private int secondsInCurrent;
  private boolean measuring;

  /** One type: the window is made of two halves, of which the older is dropped whole. */
  private static final class Recent {
    final LatencyHistogram sum = new LatencyHistogram();
    final LatencyHistogram measured = new LatencyHistogram();
    LatencyHistogram current = new LatencyHistogram();
    LatencyHistogram previous = new LatencyHistogram();

    void turn() {
      LatencyHistogram oldest = previous;
      oldest.reset();
      previous = current;
      current = oldest;
    }

    Latency figures() {
      sum.reset();
      sum.add(previous);
      sum.add(current);
      return sum.figures();
    }
  }

  LiveLatencies(int types, Consumer<LiveSecond> listener) {
    this.listener = listener;
    for (int type = 0; type < types; type++) {
      this.types.add(new Recent());
    }
  }

  /** A second is over. */
  void add(long second, List<SecondFigures> figures, List<LatencyHistogram> due) {
    if (second >= 0 && !measuring) {
      measuring = true;
      types.forEach(type -> type.measured.reset());
    }
    if (secondsInCurrent == WINDOW_SECONDS) {
      types.forEach(Recent::turn);
      secondsInCurrent = 0;
    }
    secondsInCurrent++;
    for (int type = 0; type < types.size(); type++) {
      types.get(type).current.add(due.get(type));
      types.get(type).measured.add(due.get(type));
    }
    listener.accept(
        new LiveSecond(
            second,
            figures,
            types.stream().map(Recent::figures).toList(),
            types.stream().map(type -> type.measured.figures()).toList()));
  }
}
