package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.shardmap.PartitionRule;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import org.jspecify.annotations.Nullable;

/**
 * How a table is spread, as far as its definition must agree with it.
 *
 * @param column the sharding column; "" if there is none
 * @param rule of an existing table; null for one that is being created
 * @param shard of a table or partition of one shard, else -1
 */
record Distribution(DistributionKind kind, String column, @Nullable PartitionRule rule, int shard) {
  /** The kinds. */
  enum DistributionKind {
    /** Whole on every shard. */
    REFERENCE,
    SHARDED,
    /** A partition, or a table of one shard. */
    ONE_SHARD,
    /** Not in the map, perhaps because this transaction has made it. */
    UNKNOWN
  }

  static final Distribution REFERENCE = new Distribution(DistributionKind.REFERENCE, "", null, -1);
  static final Distribution UNKNOWN = new Distribution(DistributionKind.UNKNOWN, "", null, -1);

  static Distribution sharded(String column) {
    return new Distribution(DistributionKind.SHARDED, column, null, -1);
  }

  static Distribution oneShard(int shard) {
    return new Distribution(DistributionKind.ONE_SHARD, "", null, shard);
  }

  static Distribution of(@Nullable Table table) {
    if (table == null || table.sharding() instanceof Sharding.Unroutable) {
      return UNKNOWN;
    }
    if (table.sharding() instanceof Sharding.ByColumn by) {
      return new Distribution(DistributionKind.SHARDED, by.column(), by.rule(), -1);
    }
    return table.sharding() instanceof Sharding.OnShard on ? oneShard(on.shard()) : REFERENCE;
  }

  boolean is(DistributionKind other) {
    return kind == other;
  }
}
