package io.shardmark.proxy.catalog;

import io.shardmark.proxy.shardmap.Schemas;
import io.shardmark.proxy.shardmap.TableName;
import java.util.Map;
import java.util.Set;

/**
 * One shard's catalog, read in one snapshot.
 *
 * @param others names of indexes and sequences
 */
record ShardCatalog(
    ShardFacts facts, Map<TableName, CatalogTable> tables, Set<TableName> others, Schemas schemas) {
  ShardCatalog {
    tables = Map.copyOf(tables);
    others = Set.copyOf(others);
  }
}
