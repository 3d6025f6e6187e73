package io.shardmark.driver.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Hands the seconds that are over to those who watch a run, on a separate thread: what they do with
 * them can neither delay nor harm the measurement. A watcher that lags misses seconds.
 */
final class LiveFeed {
  private static final int MOST_WAITING = 60;
  private static final long NEVER = Long.MAX_VALUE / 2;

  private final Consumer<LiveSecond> listener;
  private final List<OfType> types = new ArrayList<>();
  private final Consumer<String> notes;
  private final ObserverThread thread;
  private boolean lagging;

  /** Of the feed's thread. */
  private boolean measuring;

  /** Due-time latencies of one type. Of the feed's thread. */
  private static final class OfType {
    final LatencyHistogram measured = new LatencyHistogram();
    final RecentLatencies recent = new RecentLatencies();
  }

  /**
   * @param listener called on the feed's thread
   * @param notes receives one line if the listener fails or lags
   */
  LiveFeed(int types, Consumer<LiveSecond> listener, Consumer<String> notes) {
    this.listener = listener;
    for (int type = 0; type < types; type++) {
      this.types.add(new OfType());
    }
    this.notes = notes;
    thread = new ObserverThread("live-view", "live view", notes, () -> NEVER, () -> {});
  }

  void start() {
    thread.start();
  }

  /** A second is over. Called by the collector; never waits. */
  void add(long second, List<SecondSum> sums) {
    List<SecondFigures> figures = sums.stream().map(SecondSum::figures).toList();
    List<LatencyHistogram> due = sums.stream().map(sum -> sum.due().copy()).toList();
    if (thread.waiting() < MOST_WAITING) {
      thread.execute(() -> announce(second, figures, due));
    } else if (!lagging && thread.isAlive()) {
      lagging = true;
      notes.accept("live view: does not keep up; seconds are missing from its history");
    }
  }

  private void announce(long second, List<SecondFigures> figures, List<LatencyHistogram> due) {
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

  /** No more seconds come: waits until those in the queue are handed on, for a moment at most. */
  void close() {
    thread.close();
  }
}
