package io.shardmark.proxy.shardmap;

import java.util.List;

/** A table as the proxy knows it. Partitions that are tables of their own are entries too. */
public record Table(TableName name, Sharding sharding, List<Column> columns) {
  public Table {
    columns = List.copyOf(columns);
  }
}
