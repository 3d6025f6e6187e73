package io.shardmark.proxy.sql;

import io.shardmark.proxy.shardmap.Overloads;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds tables by name as a server would with the session's search path. */
public record TableLookup(ShardMap map, List<String> searchPath) {
  /** The table, or null if the map has none of that name. */
  public @Nullable Table find(@Nullable String schema, String name) {
    if (schema != null) {
      return map.table(new TableName(schema, name));
    }
    for (String candidate : searchPath) {
      Table table = map.table(new TableName(candidate, name));
      if (table != null) {
        return table;
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
    return map.schemas().overloads().of(function, schema == null ? searchPath : List.of(schema));
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
