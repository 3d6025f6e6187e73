package io.shardmark.proxy.metrics;

import io.micrometer.core.instrument.Timer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
  private static final int GAUGES = LoopGauge.values().length;
  private static final int SHARD_COUNTERS = ShardCounter.values().length;
  private static final int SHARD_CELLS = SHARD_COUNTERS + ShardGauge.values().length;
  private static final int FIRST_SHARD_CELL = COUNTERS + GAUGES;

  private final long[] cells;
  private final Timer[] timers;

  /**
   * @param timers by ordinal, of all loops; any thread
   */
  LoopCounters(int shardCount, Timer[] timers) {
    cells = new long[FIRST_SHARD_CELL + shardCount * SHARD_CELLS];
    this.timers = timers;
  }

  /** One more. */
  public void count(LoopCounter counter) {
    addToCell(counter.ordinal(), 1);
  }

  /** So many more. */
  public void add(LoopCounter counter, long amount) {
    addToCell(counter.ordinal(), amount);
  }

  /** One more for a shard. */
  public void count(int shard, ShardCounter counter) {
    addToCell(shardCell(shard) + counter.ordinal(), 1);
  }

  /** So many more for a shard. */
  public void add(int shard, ShardCounter counter, long amount) {
    addToCell(shardCell(shard) + counter.ordinal(), amount);
  }

  /** Up or down by an amount. */
  public void add(LoopGauge gauge, long amount) {
    addToCell(COUNTERS + gauge.ordinal(), amount);
  }

  /** Up or down by an amount, for a shard. */
  public void add(int shard, ShardGauge gauge, long amount) {
    addToCell(shardCell(shard) + SHARD_COUNTERS + gauge.ordinal(), amount);
  }

  /** Sets a shard's gauge. */
  public void set(int shard, ShardGauge gauge, long value) {
    CELL.setOpaque(cells, shardCell(shard) + SHARD_COUNTERS + gauge.ordinal(), value);
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

  /** The present number; any thread. */
  public long get(LoopGauge gauge) {
    return cell(COUNTERS + gauge.ordinal());
  }

  /** The present number for a shard; any thread. */
  public long get(int shard, ShardGauge gauge) {
    return cell(shardCell(shard) + SHARD_COUNTERS + gauge.ordinal());
  }

  private static int shardCell(int shard) {
    return FIRST_SHARD_CELL + shard * SHARD_CELLS;
  }

  private void addToCell(int index, long amount) {
    // One writer: a plain read of one's own last write, then a write that others see whole.
    CELL.setOpaque(cells, index, cells[index] + amount);
  }

  private long cell(int index) {
    return (long) CELL.getOpaque(cells, index);
  }
}
