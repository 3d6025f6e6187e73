package io.shardmark.driver.measure;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands the seconds that are over to those who watch a run, on a separate thread: what they do with
 * them can neither delay nor harm the measurement. A watcher that lags gets some of them as one, so
 * that its sums are right.
 */
final class LiveFeed {
  private static final int MOST_WAITING = 60;
  private static final long NEVER = Long.MAX_VALUE / 2;

  private final Consumer<LiveSecond> listener;
  private final Consumer<String> notes;
  private final ObserverThread thread;
  private boolean lagging;

  /** What found no place, all of one phase. */
  private @Nullable LiveSecond late;

  /**
   * @param listener called on the feed's thread
   * @param notes receives one line if the listener fails or lags
   */
  LiveFeed(Consumer<LiveSecond> listener, Consumer<String> notes) {
    this.listener = listener;
    this.notes = notes;
    thread = new ObserverThread("live-view", "live view", notes, () -> NEVER, () -> {});
  }

  void start() {
    thread.start();
  }

  /** Called by the collector; never waits. */
  void add(LiveSecond second) {
    LiveSecond before = late;
    if (before != null && before.phase() == second.phase()) {
      second = before.plus(second);
    } else if (before != null) {
      give(before); // at most one for each phase
    }
    late = null;
    if (thread.waiting() < MOST_WAITING) {
      give(second);
      return;
    }
    late = second;
    if (!lagging && thread.isAlive()) {
      lagging = true;
      notes.accept("live view: does not keep up; seconds are missing from its history");
    }
  }

  private void give(LiveSecond second) {
    thread.execute(() -> listener.accept(second));
  }

  /** No more seconds come: waits until those in the queue are handed on, for a moment at most. */
  void close() {
    LiveSecond rest = late;
    if (rest != null) {
      give(rest);
    }
    thread.close();
  }
}
