package io.shardmark.driver.measure;

import io.shardmark.driver.results.LatencyKind;

/**
 * One finished transaction as the collector hands it on. Reused for the next one: read it before
 * returning. Instants are of {@link System#nanoTime()}.
 */
public final class Sample {
  private static final int DISPOSITION_SHIFT = 8;
  private static final int DISTRIBUTED_SHIFT = 16;
  private static final int RETRIES_SHIFT = 17;
  private static final int SKIPPED_SHIFT = 32;
  private static final int PARTITION_SHIFT = 48;
  private static final int MAX_PARTITION = 0xFFFE;
  private static final int MAX_RETRIES = 0x7FFF;
  private static final int MAX_SKIPPED = 0xFFFF;
  private static final Disposition[] DISPOSITIONS = Disposition.values();

  private long dueNanos;
  private long dequeuedNanos;
  private long startNanos;
  private long endNanos;
  private long meta;

  Sample() {}

  @SuppressWarnings("EnumOrdinal") // never leaves this process, and unpacked a few lines below
  static long pack(
      int typeIndex,
      Disposition disposition,
      int retries,
      int skipped,
      boolean distributed,
      int homePartition) {
    // 0 is an unknown one, and for those too high for the field.
    long partition = homePartition > MAX_PARTITION ? 0 : homePartition + 1L;
    return partition << PARTITION_SHIFT
        | (typeIndex & 0xFF)
        | (long) disposition.ordinal() << DISPOSITION_SHIFT
        | (distributed ? 1L << DISTRIBUTED_SHIFT : 0)
        | (long) Math.min(retries, MAX_RETRIES) << RETRIES_SHIFT
        | (long) Math.min(skipped, MAX_SKIPPED) << SKIPPED_SHIFT;
  }

  void set(long dueNanos, long dequeuedNanos, long startNanos, long endNanos, long meta) {
    this.dueNanos = dueNanos;
    this.dequeuedNanos = dequeuedNanos;
    this.startNanos = startNanos;
    this.endNanos = endNanos;
    this.meta = meta;
  }

  public int typeIndex() {
    return (int) meta & 0xFF;
  }

  public Disposition disposition() {
    return DISPOSITIONS[(int) (meta >> DISPOSITION_SHIFT) & 0xFF];
  }

  /** True if it touched more than one partition. */
  public boolean distributed() {
    return (meta >> DISTRIBUTED_SHIFT & 1) != 0;
  }

  /** How often it was tried again; above 32767 shown as that. */
  public int retries() {
    return (int) (meta >> RETRIES_SHIFT) & MAX_RETRIES;
  }

  /** Units of work that found nothing to do; above 65535 shown as that. */
  public int skipped() {
    return (int) (meta >> SKIPPED_SHIFT) & MAX_SKIPPED;
  }

  /** The partition that its terminal is at home in; -1 if that is not known. */
  public int homePartition() {
    return (int) (meta >>> PARTITION_SHIFT) - 1;
  }

  long dueNanos() {
    return dueNanos;
  }

  long dequeuedNanos() {
    return dequeuedNanos;
  }

  public long endNanos() {
    return endNanos;
  }

  /** From due to over: what the user of the terminal waited. Not negative. */
  public long dueLatencyNanos() {
    return Math.max(0, endNanos - dueNanos);
  }

  /** From the first statement to over: what the database took. Not negative. */
  public long serviceLatencyNanos() {
    // A transaction that never got a connection may carry the start of the one before it.
    long start = startNanos - dequeuedNanos < 0 ? dequeuedNanos : startNanos;
    return Math.max(0, endNanos - start);
  }

  /** From due until a worker took it up. Not negative. */
  public long queueWaitNanos() {
    return Math.max(0, dequeuedNanos - dueNanos);
  }

  /** From there until a connection was available. Not negative. */
  public long connectionWaitNanos() {
    return Math.max(0, startNanos - dequeuedNanos);
  }

  /** The latency of this kind. */
  long latencyNanos(LatencyKind kind) {
    return switch (kind) {
      case DUE -> dueLatencyNanos();
      case SERVICE -> serviceLatencyNanos();
      case QUEUE_WAIT -> queueWaitNanos();
      case CONNECTION_WAIT -> connectionWaitNanos();
    };
  }
}
