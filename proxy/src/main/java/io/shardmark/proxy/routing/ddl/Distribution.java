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
 */
record Distribution(Kind kind, String column, @Nullable PartitionRule rule) {
  /** The kinds. */
  enum Kind {
    /** Whole on every shard. */
    REFERENCE,
    SHARDED,
    /** A partition. */
    ONE_SHARD,
    /** Not in the map, perhaps because this transaction has made it. */
    UNKNOWN
  }

  static final Distribution REFERENCE = new Distribution(Kind.REFERENCE, "", null);
  static final Distribution ONE_SHARD = new Distribution(Kind.ONE_SHARD, "", null);
  static final Distribution UNKNOWN = new Distribution(Kind.UNKNOWN, "", null);

  static Distribution sharded(String column) {
    return new Distribution(Kind.SHARDED, column, null);
  }

  static Distribution of(@Nullable Table table) {
    if (table == null || table.sharding() instanceof Sharding.Unroutable) {
      return UNKNOWN;
    }
    if (table.sharding() instanceof Sharding.ByColumn by) {
      return new Distribution(Kind.SHARDED, by.column(), by.rule());
    }
    return table.sharding() instanceof Sharding.OnShard ? ONE_SHARD : REFERENCE;
  }

  boolean is(Kind other) {
    return kind == other;
  }
}
