package io.shardmark.proxy.admin;

import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.ShardConfig;
import io.shardmark.proxy.shardmap.PartitionRule.Placement;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * SHOW SHARD MAP: a row for each partition of a sharded table, and for each shard of a reference
 * table. Tables that cannot be routed have no row, nor have partitions by their own names.
 */
public final class ShardMapTable {
  private ShardMapTable() {}

  /** The rows, ordered by table, then as the rule orders them. */
  public static TextTable of(ShardMap map, ProxyConfig config) {
    TextTable.Builder table =
        TextTable.of(
            "schema table strategy column modulus:int4 remainder:int4 bound shard:int4 shard_name"
                + " host port:int4 database");
    map.tables().values().stream()
        .sorted(
            Comparator.comparing((Table t) -> t.name().schema())
                .thenComparing(t -> t.name().name()))
        .forEach(one -> add(table, one, config));
    return table.build();
  }

  private static void add(TextTable.Builder table, Table one, ProxyConfig config) {
    if (one.sharding() instanceof Sharding.ByColumn by) {
      boolean configured = isConfigured(one.name(), config);
      String strategy = configured ? "column" : by.rule().strategy();
      for (Placement placement : by.rule().placements()) {
        row(table, one.name(), strategy, by.column(), placement, config);
      }
    } else if (one.sharding() instanceof Sharding.Reference) {
      for (int shard = 0; shard < config.shards().size(); shard++) {
        Placement whole = new Placement(null, null, "", shard);
        row(table, one.name(), "reference", null, whole, config);
      }
    }
  }

  private static boolean isConfigured(TableName name, ProxyConfig config) {
    return config.sharding().containsKey(name.toString())
        || config.sharding().containsKey(name.name());
  }

  private static void row(
      TextTable.Builder table,
      TableName name,
      String strategy,
      @Nullable String column,
      Placement placement,
      ProxyConfig config) {
    List<ShardConfig> shards = config.shards();
    ShardConfig shard = shards.get(placement.shard());
    table.row(
        name.schema(),
        name.name(),
        strategy,
        column,
        placement.modulus(),
        placement.remainder(),
        placement.bound().isEmpty() ? null : placement.bound(),
        placement.shard(),
        shard.name(),
        shard.host(),
        shard.port(),
        shard.database());
  }
}
