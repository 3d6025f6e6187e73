package io.shardmark.driver.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What has happened since the terminals started, ramp-up included, for those who watch a run. The
 * collector thread writes, any thread reads; a reader lags by some milliseconds. Of fixed size.
 */
@SuppressWarnings("EnumOrdinal") // indexes small arrays of this process; never stored
public final class LiveTotals {
  private static final int DISPOSITIONS = Disposition.values().length;

  private final AtomicLongArray outcomes;
  private final AtomicLongArray retries;
  private final AtomicLongArray distributed;
  private final AtomicLongArray partitions;
  private final List<LatencyBuckets> response = new ArrayList<>();
  private final List<LatencyBuckets> service = new ArrayList<>();
  private final LatencyBuckets connectionWait = new LatencyBuckets();

  /**
   * @param types how many types of transactions there are
   * @param partitions how many partitions of the data are counted separately; 0 if none
   */
  public LiveTotals(int types, int partitions) {
    this.outcomes = new AtomicLongArray(types * DISPOSITIONS);
    this.retries = new AtomicLongArray(types);
    this.distributed = new AtomicLongArray(types);
    this.partitions = new AtomicLongArray(partitions);
    for (int type = 0; type < types; type++) {
      response.add(new LatencyBuckets());
      service.add(new LatencyBuckets());
    }
  }

  private static void add(AtomicLongArray cells, int index, long count) {
    cells.setOpaque(index, cells.getPlain(index) + count);
  }

  /** Counts a transaction. */
  void add(Sample sample) {
    int type = sample.typeIndex();
    Disposition disposition = sample.disposition();
    add(outcomes, type * DISPOSITIONS + disposition.ordinal(), 1);
    if (sample.retries() > 0) {
      add(retries, type, sample.retries());
    }
    if (disposition.isError()) {
      return;
    }
    if (sample.distributed()) {
      add(distributed, type, 1);
    }
    int partition = sample.homePartition();
    if (partition >= 0 && partition < partitions.length()) {
      add(partitions, partition, 1);
    }
    response.get(type).record(sample.dueLatencyNanos());
    service.get(type).record(sample.serviceLatencyNanos());
    connectionWait.record(sample.connectionWaitNanos());
  }

  /** Transactions of a type that ended so. */
  public long count(int type, Disposition disposition) {
    return outcomes.getOpaque(type * DISPOSITIONS + disposition.ordinal());
  }

  /** Transactions of a type that committed or were rolled back on purpose. */
  public long successes(int type) {
    return count(type, Disposition.COMMITTED) + count(type, Disposition.ROLLED_BACK);
  }

  /** Transactions of a type that ended in an error. */
  public long errors(int type) {
    long errors = 0;
    for (Disposition disposition : Disposition.values()) {
      errors += disposition.isError() ? count(type, disposition) : 0;
    }
    return errors;
  }

  /** How often transactions of a type were tried again. */
  public long retries(int type) {
    return retries.getOpaque(type);
  }

  /** Successes of a type that touched more than one partition. */
  public long distributed(int type) {
    return distributed.getOpaque(type);
  }

  /** How many partitions are counted separately; 0 if they are not known. */
  public int partitions() {
    return partitions.length();
  }

  /** Successes whose home is this partition. */
  public long ofPartition(int partition) {
    return partitions.getOpaque(partition);
  }

  /** Due-time latencies of a type's successes. */
  public LatencyBuckets response(int type) {
    return response.get(type);
  }

  /** What the database took for a type's successes. */
  public LatencyBuckets service(int type) {
    return service.get(type);
  }

  /** Waits of all successes for a connection. */
  public LatencyBuckets connectionWait() {
    return connectionWait;
  }
}
