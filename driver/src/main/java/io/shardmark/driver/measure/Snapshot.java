package io.shardmark.driver.measure;

import io.shardmark.driver.benchmark.TransactionType;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * What transactions did: counts and latencies of each type by scope, and the successes at home in
 * each partition. The collector makes one of each second; whatever is said of a run or a part of it
 * is a sum of such seconds, and that of several drivers a sum of theirs. Used by one thread at a
 * time.
 */
public final class Snapshot {
  private final List<TypeStatistics> types;
  private final long[] ofPartitions;

  /**
   * @param partitions how many partitions of the data are counted separately; 0 if none
   */
  public Snapshot(List<TransactionType> types, int partitions) {
    this.types = types.stream().map(TypeStatistics::new).toList();
    ofPartitions = new long[partitions];
  }

  void add(Sample sample) {
    types.get(sample.typeIndex()).add(sample);
    int partition = sample.homePartition();
    if (!sample.disposition().isError() && partition >= 0 && partition < ofPartitions.length) {
      ofPartitions[partition]++;
    }
  }

  /**
   * What was done elsewhere, or in another time.
   *
   * @throws IllegalArgumentException if its types are not these
   */
  public void add(Snapshot other) {
    for (int type = 0; type < types.size(); type++) {
      types.get(type).add(other.types.get(type));
    }
    for (int partition = 0; partition < ofPartitions.length; partition++) {
      ofPartitions[partition] += other.ofPartitions[partition];
    }
  }

  /** Nothing was done. */
  public void reset() {
    types.forEach(TypeStatistics::reset);
    Arrays.fill(ofPartitions, 0);
  }

  /** One for each type, at its index. */
  public List<TypeStatistics> types() {
    return types;
  }

  /** Successes at home in each partition. */
  public List<Long> ofPartitions() {
    return LongStream.of(ofPartitions).boxed().toList();
  }

  /** Successes of each type, at its index. */
  public List<Long> successes() {
    return types.stream().map(TypeStatistics::successes).toList();
  }

  /** Successes of the types that are counted. */
  public long transactions() {
    return types.stream()
        .filter(type -> type.type().counted())
        .mapToLong(TypeStatistics::successes)
        .sum();
  }

  /** Transactions of any type that ended in an error. */
  public long errors() {
    return types.stream().mapToLong(TypeStatistics::errors).sum();
  }

  /** How often transactions of any type were tried again. */
  public long retries() {
    return types.stream().mapToLong(type -> type.retries().count()).sum();
  }
}
