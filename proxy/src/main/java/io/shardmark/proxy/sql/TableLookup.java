package io.shardmark.proxy.sql;

import io.shardmark.proxy.shardmap.Overloads;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.ShardMap.NameSpace;
import io.shardmark.proxy.shardmap.ShardSet;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds what one statement names, as a server would with the session's search path, and keeps in
 * mind whether the map has all of it.
 */
public final class TableLookup {
  private final ShardMap map;
  private final List<String> searchPath;
  private boolean missed;

  public TableLookup(ShardMap map, List<String> searchPath) {
    this.map = map;
    this.searchPath = searchPath;
  }

  public ShardMap map() {
    return map;
  }

  public List<String> searchPath() {
    return searchPath;
  }

  /**
   * Whether the statement names a table or function that the map does not have, or not in the form
   * in which all shards would have it: a map that is read anew may.
   */
  public boolean hasMissed() {
    return missed;
  }

  /** The table, or null if the map has none of that name. */
  public @Nullable Table find(@Nullable String schema, String name) {
    List<String> schemas = schema == null ? searchPath : List.of(schema);
    for (String candidate : schemas) {
      Table table = map.table(new TableName(candidate, name));
      if (table != null) {
        missed |= table.sharding() instanceof Sharding.Unroutable;
        return table;
      }
    }
    missed |= !isSequence(schema, name) && !isCatalog(schema, name);
    return null;
  }

  /**
   * What one shard alone has.
   *
   * @param name with its schema
   */
  public record OneShardObject(TableName name, int shard) {}

  /** The index, sequence or the like of that name that one shard alone has, or null. */
  public @Nullable OneShardObject alone(NameSpace space, @Nullable String schema, String name) {
    for (String candidate : schema == null ? searchPath : List.of(schema)) {
      TableName found = new TableName(candidate, name);
      ShardSet having = map.names(space).getOrDefault(found, ShardSet.EMPTY);
      if (having.size() == 1) {
        return new OneShardObject(found, having.first());
      }
    }
    return null;
  }

  /** Whether it is a sequence that every shard has. */
  boolean isSequence(@Nullable String schema, String name) {
    List<String> schemas = schema == null ? searchPath : List.of(schema);
    return schemas.stream()
        .anyMatch(candidate -> map.sequences().contains(new TableName(candidate, name)));
  }

  /** What functions of that name could do that are not PostgreSQL's own; null if there is none. */
  public Overloads.@Nullable Harm overload(@Nullable String schema, String function) {
    Overloads.Harm harm =
        map.schemas().overloads().of(function, schema == null ? searchPath : List.of(schema));
    missed |= harm == null && Functions.kind(function) == Functions.FunctionKind.UNKNOWN;
    return harm;
  }

  /** Whether a call by that name computes the same on every shard. */
  public boolean isImmutable(String function) {
    Functions.FunctionKind kind = Functions.kind(function);
    Overloads.Harm harm = overload(null, function);
    return harm == null
        ? kind == Functions.FunctionKind.IMMUTABLE
        : harm == Overloads.Harm.NOTHING
            && (kind == Functions.FunctionKind.IMMUTABLE || kind == Functions.FunctionKind.UNKNOWN);
  }

  /** Whether it is a table that PostgreSQL itself has. */
  static boolean isCatalog(@Nullable String schema, String name) {
    return schema == null
        ? name.startsWith("pg_")
        : schema.equals("pg_catalog") || schema.equals("information_schema");
  }
}
