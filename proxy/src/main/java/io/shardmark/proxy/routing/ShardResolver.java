package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.PartitionRule;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import org.jspecify.annotations.Nullable;

/** From a target and the parameters of one execution to shards. Pure; for all threads. */
public final class ShardResolver {
  private ShardResolver() {}

  /**
   * The shards of one execution.
   *
   * @return for {@link Target.Any} all shards, of which one is to be asked; {@link ShardSet#EMPTY}
   *     if no row can match (every key is NULL or outside all partitions): then one shard,
   *     whichever, gives the right answer, or the error for a row that fits nowhere
   * @throws KeyFormatException if a parameter cannot be read as a key
   */
  public static ShardSet resolve(Target target, ParameterSource parameters, ShardMap map) {
    if (target instanceof Target.Keys keys) {
      ShardSet shards = ShardSet.EMPTY;
      for (int i = 0; i < keys.sets().size(); i++) {
        shards = add(shards, keys.sets().get(i), parameters);
      }
      return shards;
    }
    if (target instanceof Target.Fixed fixed) {
      return ShardSet.of(fixed.shard());
    }
    return ShardSet.all(map.shards().size());
  }

  /**
   * The shard of one key expression.
   *
   * @return {@link PartitionRule#NO_PARTITION} also for NULL and for array parameters
   */
  public static int shardOf(
      KeyExpression key, Sharding.ByColumn sharding, ParameterSource parameters) {
    if (key instanceof KeyExpression.Parameter parameter) {
      return shardOf(parameters.value(parameter.index(), sharding.keyType()), sharding);
    }
    if (key instanceof KeyExpression.Constant constant) {
      return shardOf(constant.value(), sharding);
    }
    return PartitionRule.NO_PARTITION;
  }

  private static ShardSet add(ShardSet shards, Target.KeySet set, ParameterSource parameters) {
    ShardSet sum = shards;
    for (int i = 0; i < set.values().size(); i++) {
      KeyExpression key = set.values().get(i);
      if (key instanceof KeyExpression.ArrayParameter array) {
        for (Object element : parameters.elements(array.index(), set.sharding().keyType())) {
          sum = with(sum, shardOf(element, set.sharding()));
        }
      } else {
        sum = with(sum, shardOf(key, set.sharding(), parameters));
      }
    }
    return sum;
  }

  private static ShardSet with(ShardSet shards, int shard) {
    return shard == PartitionRule.NO_PARTITION ? shards : shards.with(shard);
  }

  /** NULL equals nothing. */
  private static int shardOf(@Nullable Object value, Sharding.ByColumn sharding) {
    return value == null ? PartitionRule.NO_PARTITION : sharding.rule().shardOf(value);
  }
}
