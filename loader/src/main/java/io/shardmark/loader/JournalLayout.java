package io.shardmark.loader;

import io.shardmark.sql.shards.HashPartition;
import io.shardmark.sql.shards.ShardMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How the journal lies in the database. Over shards it is spread like the warehouses, so that a
 * unit and its note are on one shard and are committed there alone, whether the load goes through
 * the endpoint or straight to the shard. What belongs to no warehouse is under number 0.
 *
 * @param partitions of the journal, like those of the warehouses; empty on one server
 */
record JournalLayout(List<HashPartition> partitions) {
  static final JournalLayout ONE_SERVER = new JournalLayout(List.of());

  private static final String ROOT_TABLE = "bmsql_warehouse";

  JournalLayout {
    partitions = List.copyOf(partitions);
  }

  /** Without a map, or where warehouses are not spread by hash, the journal is a plain table. */
  static JournalLayout of(Optional<ShardMap> map) {
    return map.filter(found -> found.shards().size() > 1)
        .map(found -> new JournalLayout(found.hashPartitions(ROOT_TABLE)))
        .orElse(ONE_SERVER);
  }

  boolean isSpread() {
    return !partitions.isEmpty();
  }

  /**
   * The statements that create the journal.
   *
   * @param parameters of the load; the default of a column over shards, where a shard can be asked
   *     whether it is one of this very load
   */
  List<String> creates(String parameters) {
    if (!isSpread()) {
      return List.of(
          "create table "
              + LoadJournal.TABLE
              + " (unit varchar(40) not null primary key, detail varchar(120))");
    }
    List<String> statements = new ArrayList<>();
    statements.add(
        "create table %s (unit varchar(40) not null, warehouse integer not null, detail varchar(120) default '%s', primary key (warehouse, unit)) partition by hash (warehouse)"
            .formatted(LoadJournal.TABLE, parameters));
    statements.addAll(HashPartition.createAll(LoadJournal.TABLE, partitions));
    return statements;
  }

  /** Parameters: unit, detail, and over shards the warehouse. */
  String insert() {
    return "insert into "
        + LoadJournal.TABLE
        + (isSpread()
            ? " (unit, detail, warehouse) values (?, ?, ?)"
            : " (unit, detail) values (?, ?)");
  }

  /** What is added to the condition that finds the parameters. */
  String ofNoWarehouse() {
    return isSpread() ? " and warehouse = 0" : "";
  }
}
