package io.shardmark.proxy.catalog;

import io.shardmark.proxy.shardmap.ShardMap;
import java.util.List;

/**
 * A shard map and what was noticed while it was made.
 *
 * @param problems one line each, beginning with the table's name
 */
public record CatalogReading(ShardMap map, List<String> problems) {
  public CatalogReading {
    problems = List.copyOf(problems);
  }
}
