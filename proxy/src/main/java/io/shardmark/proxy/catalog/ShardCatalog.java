package io.shardmark.proxy.catalog;

import io.shardmark.proxy.shardmap.Schemas;
import io.shardmark.proxy.shardmap.TableName;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * One shard's catalog, as of one snapshot.
 *
 * @param rows what it was made of
 * @param others names of indexes and sequences
 * @param sequences those of them that are sequences
 * @param roles by name, with what their new connections begin with and no session is given: to be
 *     compared with another reading's
 */
record ShardCatalog(
    ShardFacts facts,
    CatalogRows rows,
    Map<TableName, CatalogTable> tables,
    Set<TableName> others,
    Set<TableName> sequences,
    Schemas schemas,
    Map<String, Map<String, String>> roles) {
  ShardCatalog {
    tables = Map.copyOf(tables);
    others = Set.copyOf(others);
    sequences = Set.copyOf(sequences);
    roles = Map.copyOf(roles);
  }

  /** The same, read once more. */
  ShardCatalog read(CatalogRows again, ShardFacts now) {
    return new ShardCatalog(now, again, tables, others, sequences, schemas, roles);
  }

  /**
   * Names of roles of an earlier reading that are gone, or other roles or superusers by now, or
   * begin otherwise than their present connections did.
   */
  Set<String> rolesEndedSince(ShardCatalog before) {
    Set<String> ended = new HashSet<>();
    before.roles.forEach(
        (name, role) -> {
          if (!role.equals(roles.get(name))) {
            ended.add(name);
          }
        });
    return ended;
  }
}
