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

  /** One type in one open second. */
  static final class Slot {
    private final LatencyHistogram due = new LatencyHistogram();
    private long count;
    private long committed;
    private long rolledBack;
    private long errors;
    private long retries;

    private void add(Sample sample) {
      count++;
      retries += sample.retries();
      Disposition disposition = sample.disposition();
      if (disposition.isError()) {
        errors++;
        return;
      }
      if (disposition == Disposition.COMMITTED) {
        committed++;
      } else {
        rolledBack++;
      }
      due.record(sample.dueLatencyNanos());
    }

    SecondFigures figures() {
      return new SecondFigures(
          count,
          committed,
          rolledBack,
          errors,
          retries,
          due.sumNanos(),
          due.minNanos(),
          due.maxNanos(),
          due.percentileNanos(50),
          due.percentileNanos(95),
          due.percentileNanos(99));
    }

    /** Latencies of the successes. */
    LatencyHistogram due() {
      return due;
    }

    private void reset() {
      due.reset();
      count = 0;
      committed = 0;
      rolledBack = 0;
      errors = 0;
      retries = 0;
    }
  }

  private final List<List<Slot>> open = new ArrayList<>();
  private final ObjLongConsumer<List<Slot>> closed;
  private long oldest;

  /**
   * @param firstSecond the first that will be handed on
   * @param closed takes each second when it is closed, in order; the slots are reused afterwards
   */
  SecondWindow(int types, long firstSecond, ObjLongConsumer<List<Slot>> closed) {
    for (int i = 0; i < OPEN_SECONDS; i++) {
      List<Slot> slots = new ArrayList<>();
      for (int type = 0; type < types; type++) {
        slots.add(new Slot());
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
      List<Slot> slots = slots(oldest);
      closed.accept(slots, oldest);
      slots.forEach(Slot::reset);
      oldest++;
    }
  }

  private List<Slot> slots(long second) {
    return open.get((int) Math.floorMod(second, (long) OPEN_SECONDS));
  }
}
