package io.shardmark.proxy.catalog;

import io.shardmark.proxy.shardmap.TableName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The configuration's {@code sharding}: which table has which sharding column. */
final class ColumnsByConfig {
  private final Map<String, String> columns;
  private final Set<String> unmatched;

  ColumnsByConfig(Map<String, String> columns) {
    this.columns = columns;
    this.unmatched = new TreeSet<>(columns.keySet());
  }

  /** The column of a table, by its qualified name, else by its own. */
  Optional<String> columnOf(TableName table) {
    for (String name : List.of(table.toString(), table.name())) {
      String column = columns.get(name);
      if (column != null) {
        unmatched.remove(name);
        return Optional.of(column);
      }
    }
    return Optional.empty();
  }

  /** A line for each table that no shard has. */
  List<String> unmatched() {
    return unmatched.stream()
        .map(name -> name + " is named under sharding, but no shard has such a table")
        .toList();
  }
}
