package io.shardmark.sql.shards;

import io.shardmark.config.ConfigException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which shards an endpoint has and where the rows of its sharded tables are.
 *
 * @param sharding what spreads them
 * @param shards by index; empty if the endpoint has no tables yet
 * @param tables sharded tables by name, without schema
 */
public record ShardMap(Sharding sharding, List<Shard> shards, Map<String, TablePlacement> tables) {
  private static final String HASH = "hash";
  private static final String COLUMN = "column";
  private static final String REFERENCE = "reference";

  public ShardMap {
    shards = List.copyOf(shards);
    tables = Map.copyOf(tables);
  }

  /**
   * A row of the answer to {@code SHOW SHARD MAP}: a partition, or a reference table on one shard.
   *
   * @param strategy hash, list, range, column (hashed without being partitioned), reference
   * @param modulus of hash and column, else null
   * @param remainder of hash and column, else null
   * @param bound of list and range as pg_get_expr writes it, else null
   * @param shard index from 0
   */
  record ShardMapRow(
      String table,
      String strategy,
      String column,
      @Nullable Integer modulus,
      @Nullable Integer remainder,
      @Nullable String bound,
      Shard shard) {

    PartitionBound partitionBound() {
      if (strategy.equals(HASH) || strategy.equals(COLUMN)) {
        return modulus == null || remainder == null || modulus < 1
            ? new PartitionBound.Unknown("no modulus")
            : new PartitionBound.Hash(modulus, remainder);
      }
      return PartitionBound.parse(bound == null ? "" : bound);
    }
  }

  /** The map of a sharding proxy. */
  static ShardMap of(List<ShardMapRow> rows) {
    List<TablePlacement.PlacedPartition> parts =
        rows.stream()
            .filter(row -> !row.strategy().equals(REFERENCE))
            .map(
                row ->
                    new TablePlacement.PlacedPartition(
                        row.table(), row.column(), row.partitionBound(), row.shard().index()))
            .toList();
    return new ShardMap(
        Sharding.PROXY,
        rows.stream()
            .map(ShardMapRow::shard)
            .distinct()
            .sorted(Comparator.comparingInt(Shard::index))
            .toList(),
        TablePlacement.of(parts));
  }

  /** True if a sharding proxy spreads the rows. */
  public boolean isOfProxy() {
    return sharding == Sharding.PROXY;
  }

  /** The placement of a table, or empty if it is not sharded. */
  public Optional<TablePlacement> table(String name) {
    return Optional.ofNullable(tables.get(name));
  }

  /**
   * The placement of a table that must be sharded by a column.
   *
   * @throws ConfigException if it is not
   */
  public TablePlacement requireTable(String name, String column) {
    return table(name)
        .filter(placement -> placement.column().equals(column))
        .orElseThrow(
            () ->
                new ConfigException(
                    "%s is not sharded by %s over the %d shards: destroy and build, or shardMap=none takes the endpoint for one server"
                        .formatted(name, column, shards.size())));
  }

  /** The hash partitions of a table; empty if it is sharded in another way or not at all. */
  public List<HashPartition> hashPartitions(String table) {
    return table(table).map(TablePlacement::hashPartitions).orElse(List.of());
  }

  /**
   * The shard of each value of a sharding column: of value v at index v; index 0 is not used.
   *
   * @param table whose sharding column it is
   * @param count values are 1 to this
   * @return empty if the table is not sharded, or if no partition takes one of the values
   */
  public Optional<int[]> shardsOf(String table, int count) {
    Optional<TablePlacement> placement = table(table);
    if (placement.isEmpty()) {
      return Optional.empty();
    }
    int[] shardOf = new int[count + 1];
    for (int value = 1; value <= count; value++) {
      shardOf[value] = placement.get().shardOf(value);
      if (shardOf[value] == TablePlacement.NO_SHARD) {
        return Optional.empty();
      }
    }
    return Optional.of(shardOf);
  }
}
