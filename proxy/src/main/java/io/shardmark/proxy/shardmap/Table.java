package io.shardmark.proxy.shardmap;

import java.util.List;
import java.util.Set;

/**
 * A table as the proxy knows it. Partitions that are tables too are entries.
 *
 * @param reactions changes of rows at which the server does something more, by a trigger or a rule,
 *     that may differ between shards
 */
public record Table(
    TableName name, Sharding sharding, List<Column> columns, Set<RowChange> reactions) {
  public Table {
    columns = List.copyOf(columns);
    reactions = Set.copyOf(reactions);
  }

  /** Without triggers and rules. */
  public Table(TableName name, Sharding sharding, List<Column> columns) {
    this(name, sharding, columns, Set.of());
  }
}
