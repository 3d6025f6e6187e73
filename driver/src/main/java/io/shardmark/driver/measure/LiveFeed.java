package io.shardmark.driver.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Hands the seconds that are over to those who watch a run, on a thread of their own: what they do
 * with them can neither delay nor harm the measurement. A watcher that falls behind misses seconds.
 */
final class LiveFeed {
  private static final int MOST_WAITING = 60;
  private static final long PATIENCE_MILLIS = 5_000;

  private final BlockingQueue<Closed> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final LiveLatencies latencies;
  private final Consumer<String> notes;
  private final Thread thread;
  private volatile boolean ended;
  private boolean behind;

  /** A second, with copies of its due-time latencies. */
  private record Closed(long second, List<SecondFigures> figures, List<LatencyHistogram> due) {}

  /**
   * @param listener called on the feed's thread
   * @param notes receives one line if the listener fails or falls behind
   */
  LiveFeed(int types, Consumer<LiveSecond> listener, Consumer<String> notes) {
    latencies = new LiveLatencies(types, listener);
    this.notes = notes;
    thread = ObserverThread.of("live-view", "live view", notes, this::serve);
  }

  void start() {
    thread.start();
  }

  /** A second is over. Called by the collector; never waits. */
  void add(long second, List<SecondWindow.Slot> slots, List<SecondFigures> figures) {
    List<LatencyHistogram> due = new ArrayList<>(slots.size());
    for (SecondWindow.Slot slot : slots) {
      LatencyHistogram copy = new LatencyHistogram();
      slot.addDueTo(copy);
      due.add(copy);
    }
    if (!waiting.offer(new Closed(second, figures, due)) && !behind && thread.isAlive()) {
      behind = true;
      notes.accept("live view: does not keep up; seconds are missing from its history");
    }
  }

  private void serve() {
    try {
      while (!ended || !waiting.isEmpty()) {
        Closed closed = waiting.poll(100, TimeUnit.MILLISECONDS);
        if (closed != null) {
          latencies.add(closed.second, closed.figures, closed.due);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** No more seconds come: waits until those in the queue are handed on, for a moment at most. */
  void close() {
    ended = true;
    try {
      thread.join(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
