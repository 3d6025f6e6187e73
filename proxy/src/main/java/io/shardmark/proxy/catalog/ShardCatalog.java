package io.shardmark.proxy.catalog;

import io.shardmark.proxy.shardmap.TableName;
import java.util.Map;

/** One shard's catalog, read in one snapshot. */
record ShardCatalog(ShardFacts facts, Map<TableName, CatalogTable> tables) {
  ShardCatalog {
    tables = Map.copyOf(tables);
  }
}
