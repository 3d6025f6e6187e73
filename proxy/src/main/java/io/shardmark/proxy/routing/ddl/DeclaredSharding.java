package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.shardmap.TableName;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sharding that the configuration gives to tables that are not partitioned.
 *
 * @param columns from {@code table} or {@code schema.table} to the sharding column
 */
record DeclaredSharding(Map<String, String> columns) {
  /** The sharding column of a table, whether it is there yet or not; null if none is declared. */
  @Nullable String column(TableName table) {
    String qualified = columns.get(table.toString());
    return qualified == null ? columns.get(table.name()) : qualified;
  }

  boolean has(TableName table) {
    return column(table) != null;
  }
}
