package io.shardmark.proxy.admin;

import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.ShardConfig;
import io.shardmark.proxy.shardmap.PartitionRule;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * SHOW SHARD MAP: a row for each partition of a sharded table, and for each shard of a reference
 * table. Tables that cannot be routed have no row, nor have partitions by their own names. Shards
 * have the numbers that DDL takes, from 1.
 */
public final class ShardMapTable {
  private static final Set<String> SHOWN = Set.of("cross_shard_isolation", "scatter_reads");

  private ShardMapTable() {}

  /**
   * What a client gets that asks for a topic: of {@code shardmark.KEY} the value of that key of
   * proxy.yaml, if it is one that decides what transactions may see; otherwise the map.
   */
  public static TextTable of(String topic, ShardMap map, ProxyConfig config) {
    String key = topic.replaceFirst("^shardmark[.]", "");
    return SHOWN.contains(key)
        ? TextTable.of(
            topic,
            Stream.of(
                TextTable.row(String.valueOf(config.values().get(key)).toLowerCase(Locale.ROOT))))
        : of(map, config);
  }

  /** The rows, ordered by table, then as the rule orders them. */
  public static TextTable of(ShardMap map, ProxyConfig config) {
    return TextTable.of(
        "schema table strategy column modulus:int4 remainder:int4 bound shard:int4 shard_name"
            + " host port:int4 database",
        map.tables().values().stream()
            .sorted(
                Comparator.comparing((Table t) -> t.name().schema())
                    .thenComparing(t -> t.name().name()))
            .flatMap(one -> rows(one, map.shards().size(), config)));
  }

  private static Stream<List<@Nullable String>> rows(Table one, int shards, ProxyConfig config) {
    if (one.sharding() instanceof Sharding.ByColumn by) {
      String strategy = isConfigured(one.name(), config) ? "column" : by.rule().strategy();
      return by.rule().placements().stream()
          .map(placement -> row(one.name(), strategy, by.column(), placement, config));
    }
    if (one.sharding() instanceof Sharding.Reference) {
      return IntStream.range(0, shards)
          .mapToObj(shard -> new PartitionRule.RulePlacement(null, null, "", shard))
          .map(whole -> row(one.name(), "reference", null, whole, config));
    }
    if (one.sharding() instanceof Sharding.OnShard on && on.whole()) {
      PartitionRule.RulePlacement whole =
          new PartitionRule.RulePlacement(null, null, "", on.shard());
      return Stream.of(row(one.name(), "shard", null, whole, config));
    }
    return Stream.empty();
  }

  private static boolean isConfigured(TableName name, ProxyConfig config) {
    return config.sharding().containsKey(name.toString())
        || config.sharding().containsKey(name.name());
  }

  private static List<@Nullable String> row(
      TableName name,
      String strategy,
      @Nullable String column,
      PartitionRule.RulePlacement placement,
      ProxyConfig config) {
    ShardConfig shard = config.shards().get(placement.shard());
    return TextTable.row(
        name.schema(),
        name.name(),
        strategy,
        column,
        placement.modulus(),
        placement.remainder(),
        placement.bound().isEmpty() ? null : placement.bound(),
        placement.shard() + 1,
        shard.name(),
        shard.host(),
        shard.port(),
        shard.database());
  }
}
