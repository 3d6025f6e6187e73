package io.shardmark.driver.measure;

import java.util.function.Consumer;

/**
 * Hands the seconds that are over to those who watch a run, on a separate thread: what they do with
 * them can neither delay nor harm the measurement. A watcher that lags misses seconds.
 */
final class LiveFeed {
  private static final int MOST_WAITING = 60;
  private static final long NEVER = Long.MAX_VALUE / 2;

  private final Consumer<LiveSecond> listener;
  private final Consumer<String> notes;
  private final ObserverThread thread;
  private boolean lagging;

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
    if (thread.waiting() < MOST_WAITING) {
      thread.execute(() -> listener.accept(second));
    } else if (!lagging && thread.isAlive()) {
      lagging = true;
      notes.accept("live view: does not keep up; seconds are missing from its history");
    }
  }

  /** No more seconds come: waits until those in the queue are handed on, for a moment at most. */
  void close() {
    thread.close();
  }
}
