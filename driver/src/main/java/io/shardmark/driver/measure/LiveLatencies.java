package io.shardmark.driver.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Makes a {@link LiveSecond} of each second. Used by the collector thread only. */
final class LiveLatencies {
  private final Consumer<LiveSecond> listener;
  private final List<OfType> types = new ArrayList<>();
  private boolean measuring;

  private static final class OfType {
    final LatencyHistogram measured = new LatencyHistogram();
    final RecentLatencies recent = new RecentLatencies();
  }

  LiveLatencies(int types, Consumer<LiveSecond> listener) {
    this.listener = listener;
    for (int type = 0; type < types; type++) {
      this.types.add(new OfType());
    }
  }

  /** A second is over. */
  void add(long second, List<SecondFigures> figures, List<LatencyHistogram> due) {
    if (second >= 0 && !measuring) {
      measuring = true;
      types.forEach(type -> type.measured.reset());
    }
    for (int type = 0; type < types.size(); type++) {
      types.get(type).recent.nextSecond().add(due.get(type));
      types.get(type).measured.add(due.get(type));
    }
    listener.accept(
        new LiveSecond(
            second,
            figures,
            types.stream().map(type -> type.recent.sum().figures()).toList(),
            types.stream().map(type -> type.measured.figures()).toList()));
  }
}
