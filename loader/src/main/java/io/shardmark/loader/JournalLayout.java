package io.shardmark.loader;

import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.DataSet.Partitioning;
import io.shardmark.sql.shards.HashPartition;
import io.shardmark.sql.shards.ShardMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How the journal lies in the database. Over shards it is spread like the rows, so that a unit and
 * its note are on one shard and are committed there alone, whether the load goes through the
 * endpoint or straight to the shard. What belongs to no partition is under number 0.
 *
 * @param table its name
 * @param column by which it is partitioned
 * @param partitions of the journal, like those of the rows; empty on one server
 */
record JournalLayout(String table, String column, List<HashPartition> partitions) {

  JournalLayout {
    partitions = List.copyOf(partitions);
  }

  /** Without a map, or where rows are not spread by one hash, the journal is a plain table. */
  static JournalLayout of(DataSet data, Optional<ShardMap> map) {
    String column = data.partitioning().map(Partitioning::column).orElse("");
    List<HashPartition> partitions =
        map.filter(found -> found.shards().size() > 1)
            .flatMap(found -> data.partitioning().map(by -> found.hashPartitions(by.rootTable())))
            .orElse(List.of());
    return new JournalLayout(data.journalTable(), column, partitions);
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
              + table
              + " (unit varchar(40) not null primary key, detail varchar(120))");
    }
    List<String> statements = new ArrayList<>();
    statements.add(
        "create table %1$s (unit varchar(40) not null, %2$s integer not null, detail varchar(120) default '%3$s', primary key (%2$s, unit)) partition by hash (%2$s)"
            .formatted(table, column, parameters));
    statements.addAll(HashPartition.createAll(table, partitions));
    return statements;
  }

  /** Parameters: unit, detail, and over shards the partition. */
  String insert() {
    return isSpread()
        ? "insert into %s (unit, detail, %s) values (?, ?, ?)".formatted(table, column)
        : "insert into %s (unit, detail) values (?, ?)".formatted(table);
  }

  /** What is added to the condition that finds the parameters. */
  String ofNoPartition() {
    return isSpread() ? " and %s = 0".formatted(column) : "";
  }
}
