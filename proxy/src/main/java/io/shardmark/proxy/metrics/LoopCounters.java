package io.shardmark.proxy.metrics;

import io.micrometer.core.instrument.Timer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The numbers of one event loop. Only that loop's thread may call the methods that change them; any
 * thread may read, and sees each number whole and soon. A count costs what adding to a field does:
 * no lock, no read-modify-write.
 */
// Cells by ordinal are what makes a count cheap; the enums never leave this process.
@SuppressWarnings("EnumOrdinal")
public final class LoopCounters {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  private static final int COUNTERS = LoopCounter.values().length;
  private static final int SHARD_COUNTERS = ShardCounter.values().length;

  /** Replaced by a longer one on the loop when one more shard counts. */
  private long[] cells;

  private final Timer[] timers;

  /**
   * @param timers by ordinal, of all loops; any thread
   */
  LoopCounters(int shardCount, Timer[] timers) {
    cells = new long[COUNTERS + shardCount * SHARD_COUNTERS];
    this.timers = timers;
  }

  /** One more. */
  public void count(LoopCounter counter) {
    addToCell(counter.ordinal(), 1);
  }

  /** So many more, or of a present number fewer. */
  public void add(LoopCounter counter, long amount) {
    addToCell(counter.ordinal(), amount);
  }

  /** One more for a shard. */
  public void count(int shard, ShardCounter counter) {
    addToCell(shardCell(shard) + counter.ordinal(), 1);
  }

  /** So many more for a shard, or of a present number fewer. */
  public void add(int shard, ShardCounter counter, long amount) {
    addToCell(shardCell(shard) + counter.ordinal(), amount);
  }

  /**
   * A duration.
   *
   * @param nanos below zero counts as zero
   */
  public void record(LoopTimer timer, long nanos) {
    timers[timer.ordinal()].record(Math.max(0, nanos), TimeUnit.NANOSECONDS);
  }

  /** The count so far; any thread. */
  public long get(LoopCounter counter) {
    return cell(counter.ordinal());
  }

  /** The count so far for a shard; any thread. */
  public long get(int shard, ShardCounter counter) {
    return cell(shardCell(shard) + counter.ordinal());
  }

  private static int shardCell(int shard) {
    return COUNTERS + shard * SHARD_COUNTERS;
  }

  private void addToCell(int index, long amount) {
    // One writer: a plain read of one's own last write, then a write that others see whole.
    CELL.setOpaque(cells, index, cells[index] + amount);
  }

  private long cell(int index) {
    long[] now = cells;
    return index < now.length ? (long) CELL.getOpaque(now, index) : 0;
  }

  /** So many shards count now; on the loop. */
  public void takeShards(int count) {
    cells = Arrays.copyOf(cells, Math.max(cells.length, shardCell(count)));
  }
}
