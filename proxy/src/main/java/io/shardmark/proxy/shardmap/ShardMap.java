package io.shardmark.proxy.shardmap;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as the shards' catalogs describe it. Immutable; a refresh makes a new one.
 *
 * @param shards names, in the order of the configuration; a shard's index is its position
 * @param tables all tables outside pg_catalog and information_schema
 * @param names what is no table, such as indexes: the shards that have something of the name
 * @param sequences that every shard has
 * @param bare partitioned tables that have no partition yet: their key, if it is one column
 * @param schemas where unqualified names are looked up
 * @param version grows with every refresh that changed something
 */
public record ShardMap(
    List<String> shards,
    Map<TableName, Table> tables,
    Map<NameSpace, Map<TableName, ShardSet>> names,
    Set<TableName> sequences,
    Map<TableName, String> bare,
    Schemas schemas,
    long version) {
  /** Two objects of one of these cannot have the same name. */
  public enum NameSpace {
    /** Indexes and sequences; tables and views too. */
    RELATIONS,
    /** Extended statistics. */
    STATISTICS
  }

  public ShardMap {
    shards = List.copyOf(shards);
    tables = Map.copyOf(tables);
    names = Map.copyOf(names);
    sequences = Set.copyOf(sequences);
    bare = Map.copyOf(bare);
  }

  /** Nothing but tables, where each partitioned one has a partition. */
  public ShardMap(List<String> shards, Map<TableName, Table> tables, long version) {
    this(shards, tables, Map.of(), Set.of(), Map.of(), Schemas.NONE, version);
  }

  /** The same as another version. */
  public ShardMap withVersion(long other) {
    return new ShardMap(shards, tables, names, sequences, bare, schemas, other);
  }

  /** The same, where tables and functions have changed that have not been read. */
  public ShardMap unread(long other) {
    Schemas unread = schemas.withUnreadFunctions();
    return new ShardMap(shards, tables, names, sequences, bare, unread, other);
  }

  /** Those of one name space; none if there is one shard only. */
  public Map<TableName, ShardSet> names(NameSpace space) {
    return names.getOrDefault(space, Map.of());
  }

  /** The table of that name, or null. */
  public @Nullable Table table(TableName name) {
    return tables.get(name);
  }
}
