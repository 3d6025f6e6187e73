package io.shardmark.driver.measure;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;

/**
 * The seconds that are not complete. Samples come out of several rings, so they are only about in
 * order: seconds stay open until they are closed, and each sample counts for its own. Used by the
 * collector thread only; holds a bounded number of seconds.
 */
final class SecondWindow {
  /**
   * With more the oldest is closed: a collector that was held up for so long takes what it gets.
   */
  static final int MOST_OPEN = 32;

  private final Supplier<Snapshot> empty;
  private final SortedMap<Long, Snapshot> open = new TreeMap<>();
  private final Deque<Snapshot> unused = new ArrayDeque<>();
  private final ObjLongConsumer<Snapshot> closed;
  private long oldest;

  /**
   * @param firstSecond the first that will be handed on
   * @param closed takes each second when it is closed, in order; it is used again afterwards
   */
  SecondWindow(Supplier<Snapshot> empty, long firstSecond, ObjLongConsumer<Snapshot> closed) {
    this.empty = empty;
    this.oldest = firstSecond;
    this.closed = closed;
  }

  /**
   * @return false if the second was closed already: the sample is in none
   */
  boolean add(long second, Sample sample) {
    closeBefore(second - MOST_OPEN + 1);
    if (second < oldest) {
      return false;
    }
    at(second).add(sample);
    return true;
  }

  /** Closes all seconds before this one. */
  void closeBefore(long second) {
    while (oldest < second) {
      Snapshot done = at(oldest);
      closed.accept(done, oldest);
      done.reset();
      unused.push(done);
      open.remove(oldest);
      oldest++;
    }
  }

  /** Each second has a number that is greater by so much from now on. */
  void renumber(long more) {
    SortedMap<Long, Snapshot> before = new TreeMap<>(open);
    open.clear();
    before.forEach((second, done) -> open.put(second + more, done));
    oldest += more;
  }

  /** Closes all seconds that have anything in them. */
  void closeAll() {
    if (!open.isEmpty()) {
      closeBefore(open.lastKey() + 1);
    }
  }

  /** Those that are open so far, in order, for reading. */
  void forEachOpen(ObjLongConsumer<Snapshot> reader) {
    open.forEach((second, done) -> reader.accept(done, second));
  }

  private Snapshot at(long second) {
    return open.computeIfAbsent(second, absent -> unused.isEmpty() ? empty.get() : unused.pop());
  }
}
