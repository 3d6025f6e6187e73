package io.shardmark.proxy.shardmap;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The sharding that the configuration gives to tables that are not partitioned.
 *
 * @param columns from {@code table} or {@code schema.table} to the sharding column
 */
public record DeclaredSharding(Map<String, String> columns) {
  public DeclaredSharding {
    columns = Map.copyOf(columns);
  }

  /** The name under which a table is declared: its qualified one, else its own. */
  public Optional<String> nameOf(TableName table) {
    return Stream.of(table.toString(), table.name()).filter(columns::containsKey).findFirst();
  }

  /** The sharding column of a table, whether it is there yet or not. */
  public Optional<String> column(TableName table) {
    return nameOf(table).map(columns::get);
  }
}
