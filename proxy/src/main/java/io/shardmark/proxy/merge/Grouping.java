package io.shardmark.proxy.merge;

import java.util.List;

/** GROUP BY with its aggregates. */
record Grouping(List<Integer> columns, List<Aggregate> aggregates) {
  Grouping {
    columns = List.copyOf(columns);
    aggregates = List.copyOf(aggregates);
  }
}
