package io.shardmark.driver.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The way of finished transactions from one worker to the collector: a ring of fixed size with one
 * producer and one consumer, without locks and without allocation. When it is full the worker waits
 * and the stall is counted: nothing is dropped, and a run that stalled says so.
 *
 * <p>Each index is written by one side only. The two sides' indices lie a cache line pair apart, so
 * that they do not fight for a line, and each side keeps a copy of the other's index, so that it
 * reads the shared one only when the copy says "full" or "empty".
 */
final class SampleRing implements SampleRecorder {
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private static final int SLOT_LONGS = 5;
  private static final int TOTAL_SLOTS = 1 << 16;
  private static final int MIN_SLOTS = 64;
  private static final int MAX_SLOTS = 4096;

  // Positions in the array of indices. 16 longs are 128 bytes: two lines, for the adjacent-line
  // prefetcher. Producer's words and consumer's words are apart, and both apart from the ends.
  private static final int TAIL = 16;
  private static final int HEAD_SEEN_BY_PRODUCER = 17;
  private static final int STALLS = 18;
  private static final int STALLED_NANOS = 19;
  private static final int HEAD = 48;
  private static final int INDEX_LONGS = 80;

  private static final int SPINS = 100;
  private static final long PARK_NANOS = 50_000;

  private final long[] slots;
  private final long[] indices = new long[INDEX_LONGS];
  private final int capacity;
  private final int mask;
  private final ErrorLog errors;
  private volatile boolean closed;

  /**
   * @param capacity samples it holds; rounded up to a power of two
   * @param errors where error texts go; shared by all workers
   */
  public SampleRing(int capacity, ErrorLog errors) {
    this.capacity = Integer.highestOneBit(Math.max(2, capacity) * 2 - 1);
    this.mask = this.capacity - 1;
    this.slots = new long[this.capacity * SLOT_LONGS];
    this.errors = errors;
  }

  /**
   * Capacity of each ring so that all rings together stay below 3 MB whatever the number of workers
   * (up to a thousand), and one worker at full speed can fill its ring no faster than in 10 ms.
   */
  static int capacityFor(int workers) {
    return Math.min(MAX_SLOTS, Math.max(MIN_SLOTS, TOTAL_SLOTS / Math.max(1, workers)));
  }

  @Override
  public void record(
      TransactionTimes times,
      int typeIndex,
      Disposition disposition,
      int retries,
      int skipped,
      boolean distributed) {
    long tail = indices[TAIL];
    if (tail - indices[HEAD_SEEN_BY_PRODUCER] == capacity && !awaitSpace(tail)) {
      return;
    }
    int at = (int) (tail & mask) * SLOT_LONGS;
    slots[at] = times.dueNanos;
    slots[at + 1] = times.dequeuedNanos;
    slots[at + 2] = times.startNanos;
    slots[at + 3] = times.endNanos;
    slots[at + 4] =
        Sample.pack(typeIndex, disposition, retries, skipped, distributed, times.homePartition);
    LONGS.setRelease(indices, TAIL, tail + 1);
  }

  @Override
  public void error(
      String type, Disposition disposition, String sqlState, String message, boolean retried) {
    errors.record(
        new ErrorLog.ErrorClass(type, disposition, sqlState), message, retried, System.nanoTime());
  }

  /** Returns false if the collector is gone, so that there will never be space again. */
  private boolean awaitSpace(long tail) {
    long head = (long) LONGS.getAcquire(indices, HEAD);
    if (tail - head == capacity) {
      long since = System.nanoTime();
      for (int spins = 0; tail - head == capacity; spins++) {
        if (closed) {
          return false;
        }
        if (spins < SPINS) {
          Thread.onSpinWait();
        } else {
          LockSupport.parkNanos(this, PARK_NANOS);
        }
        head = (long) LONGS.getAcquire(indices, HEAD);
      }
      LONGS.setRelease(indices, STALLS, indices[STALLS] + 1);
      LONGS.setRelease(indices, STALLED_NANOS, indices[STALLED_NANOS] + System.nanoTime() - since);
    }
    indices[HEAD_SEEN_BY_PRODUCER] = head;
    return true;
  }

  /**
   * Hands all samples recorded so far to the consumer. Called by the collector thread only.
   *
   * @param scratch filled and handed over for each sample; reused for the next
   * @return how many there were
   */
  int drain(Sample scratch, Consumer<Sample> consumer) {
    long head = indices[HEAD];
    long tail = (long) LONGS.getAcquire(indices, TAIL);
    for (long index = head; index < tail; index++) {
      int at = (int) (index & mask) * SLOT_LONGS;
      scratch.set(slots[at], slots[at + 1], slots[at + 2], slots[at + 3], slots[at + 4]);
      // The values are copied out, so the slot is free again at once; a worker that waits goes on.
      LONGS.setRelease(indices, HEAD, index + 1);
      consumer.accept(scratch);
    }
    return (int) (tail - head);
  }

  int capacity() {
    return capacity;
  }

  /** How often the worker found the ring full and waited. */
  long stalls() {
    return (long) LONGS.getAcquire(indices, STALLS);
  }

  /** How long the worker waited in all. */
  long stalledNanos() {
    return (long) LONGS.getAcquire(indices, STALLED_NANOS);
  }

  /** From here on a full ring drops samples instead of waiting: nobody reads it any more. */
  void close() {
    closed = true;
  }
}
