package io.shardmark.driver.measure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;

/**
 * Per-second aggregates. Samples come out of several rings, so they are only about in order:
 * seconds stay open until they are closed, and each sample counts for its own. One that comes after
 * its second was closed counts for none, and is counted here. Used by the collector thread only;
 * holds a bounded number of histograms.
 */
final class SecondWindow {
  /**
   * With more the oldest is closed: a collector that was held up for so long takes what it gets.
   */
  static final int MOST_OPEN = 32;

  private final int types;
  private final SortedMap<Long, List<SecondSum>> open = new TreeMap<>();
  private final Deque<List<SecondSum>> unused = new ArrayDeque<>();
  private final ObjLongConsumer<List<SecondSum>> closed;
  private long oldest;
  private long unplaced;

  /**
   * @param firstSecond the first that will be handed on
   * @param closed takes each second when it is closed, in order; the slots are reused afterwards
   */
  SecondWindow(int types, long firstSecond, ObjLongConsumer<List<SecondSum>> closed) {
    this.types = types;
    this.oldest = firstSecond;
    this.closed = closed;
  }

  void add(long second, Sample sample) {
    closeBefore(second - MOST_OPEN + 1);
    if (second < oldest) {
      unplaced++;
    } else {
      slots(second).get(sample.typeIndex()).add(sample);
    }
  }

  /** Closes all seconds before this one. */
  void closeBefore(long second) {
    while (oldest < second) {
      List<SecondSum> slots = slots(oldest);
      closed.accept(slots, oldest);
      slots.forEach(SecondSum::reset);
      unused.push(slots);
      open.remove(oldest);
      oldest++;
    }
  }

  private List<SecondSum> slots(long second) {
    return open.computeIfAbsent(second, absent -> unused.isEmpty() ? newSlots() : unused.pop());
  }

  private List<SecondSum> newSlots() {
    List<SecondSum> slots = new ArrayList<>();
    for (int type = 0; type < types; type++) {
      slots.add(new SecondSum());
    }
    return List.copyOf(slots);
  }

  /** Samples whose second was closed when they came. */
  long unplaced() {
    return unplaced;
  }
}
