package io.shardmark.proxy.shardmap;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * PARTITION BY LIST over one column.
 *
 * @param shardOfValue for each listed value the shard's index
 * @param shardOfNull where null goes, or {@link #NO_PARTITION} if no partition lists it
 * @param defaultShard the default partition's shard, or {@link #NO_PARTITION}
 */
public record ListRule(Map<Object, Integer> shardOfValue, int shardOfNull, int defaultShard)
    implements PartitionRule {
  public ListRule {
    shardOfValue = Map.copyOf(shardOfValue);
  }

  @Override
  public int shardOf(@Nullable Object key) {
    if (key == null) {
      return shardOfNull == NO_PARTITION ? defaultShard : shardOfNull;
    }
    return shardOfValue.getOrDefault(key, defaultShard);
  }

  @Override
  public String strategy() {
    return "list";
  }

  @Override
  public List<Placement> placements() {
    List<Placement> placements = new ArrayList<>();
    Map<Object, Integer> sorted = new TreeMap<>(KeyOrder.VALUES);
    sorted.putAll(shardOfValue);
    sorted.forEach(
        (value, shard) ->
            placements.add(
                new Placement(
                    null, null, "FOR VALUES IN (" + KeyOrder.literal(value) + ")", shard)));
    if (shardOfNull != NO_PARTITION) {
      placements.add(new Placement(null, null, "FOR VALUES IN (NULL)", shardOfNull));
    }
    if (defaultShard != NO_PARTITION) {
      placements.add(new Placement(null, null, "DEFAULT", defaultShard));
    }
    return placements;
  }
}
