package io.shardmark.proxy.shardmap;

import java.util.List;
import java.util.Set;

/**
 * A table as the proxy knows it. Partitions that are tables too are entries.
 *
 * @param reactions changes of rows at which the server does something more, by a trigger or a rule,
 *     that may differ between shards
 * @param lockable false: a materialized view, which LOCK TABLE does not take and only REFRESH
 *     changes, under a lock that keeps off all who read it
 */
public record Table(
    TableName name,
    Sharding sharding,
    List<Column> columns,
    Set<RowChange> reactions,
    boolean lockable) {
  public Table {
    columns = List.copyOf(columns);
    reactions = Set.copyOf(reactions);
  }

  public Table(TableName name, Sharding sharding, List<Column> columns, Set<RowChange> reactions) {
    this(name, sharding, columns, reactions, true);
  }

  /** Why rows cannot be written into a default partition by its own name. */
  public static String unchecked(TableName name) {
    return "table "
        + name
        + " is a default partition, and its shard does not know the bounds of partitions on other"
        + " shards: write to the partitioned table";
  }

  /** Without triggers and rules. */
  public Table(TableName name, Sharding sharding, List<Column> columns) {
    this(name, sharding, columns, Set.of());
  }
}
