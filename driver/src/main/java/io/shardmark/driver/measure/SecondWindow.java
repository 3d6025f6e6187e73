package io.shardmark.driver.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjLongConsumer;

/**
 * Per-second aggregates. Samples come out of several rings, so they are only about in order: a few
 * seconds stay open at a time, and a sample that is later than that counts for the oldest open one,
 * never for none. Used by the collector thread only; holds a fixed number of histograms.
 */
final class SecondWindow {
  private static final int OPEN_SECONDS = 3;

  private final List<List<SecondSum>> open = new ArrayList<>();
  private final ObjLongConsumer<List<SecondSum>> closed;
  private long oldest;

  /**
   * @param firstSecond the first that will be handed on
   * @param closed takes each second when it is closed, in order; the slots are reused afterwards
   */
  SecondWindow(int types, long firstSecond, ObjLongConsumer<List<SecondSum>> closed) {
    for (int i = 0; i < OPEN_SECONDS; i++) {
      List<SecondSum> slots = new ArrayList<>();
      for (int type = 0; type < types; type++) {
        slots.add(new SecondSum());
      }
      open.add(List.copyOf(slots));
    }
    this.oldest = firstSecond;
    this.closed = closed;
  }

  void add(long second, Sample sample) {
    closeBefore(second - OPEN_SECONDS + 1);
    slots(Math.max(second, oldest)).get(sample.typeIndex()).add(sample);
  }

  /** Closes all seconds before this one. */
  void closeBefore(long second) {
    while (oldest < second) {
      List<SecondSum> slots = slots(oldest);
      closed.accept(slots, oldest);
      slots.forEach(SecondSum::reset);
      oldest++;
    }
  }

  private List<SecondSum> slots(long second) {
    return open.get((int) Math.floorMod(second, (long) OPEN_SECONDS));
  }
}
