package io.shardmark.driver.sysbench;

import io.shardmark.driver.sysbench.SysbenchTest.Operations;
import io.shardmark.sql.shards.ShardMap;
import io.shardmark.sql.shards.TablePlacement;
import java.util.List;
import java.util.stream.IntStream;

/** Where the rows are; nothing is distributed on one server. */
@SuppressWarnings("EnumOrdinal") // indexes small arrays of this process; never stored
final class SysbenchPlacement {
  static final SysbenchPlacement ONE_SERVER = new SysbenchPlacement(List.of());

  /** By table, from 0. */
  private final List<TablePlacement> tables;

  private SysbenchPlacement(List<TablePlacement> tables) {
    this.tables = List.copyOf(tables);
  }

  /**
   * @throws io.shardmark.config.ConfigException if a table is not sharded by its id
   */
  static SysbenchPlacement of(ShardMap map, int tables) {
    if (map.shards().size() < 2) {
      return ONE_SERVER;
    }
    return new SysbenchPlacement(
        IntStream.rangeClosed(1, tables)
            .mapToObj(table -> map.requireTable("sbtest" + table, "id"))
            .toList());
  }

  /** Whether the rows that it writes are on more than one shard; readers need no agreement. */
  boolean isDistributed(Operations operations, int[] tableOf, int[] ids) {
    if (tables.isEmpty() || !operations.inTransaction()) {
      return false;
    }
    int at = ids.length - operations.writeDraws();
    int home = TablePlacement.NO_SHARD;
    StatementKind[] kinds = {
      StatementKind.INDEX_UPDATE, StatementKind.NON_INDEX_UPDATE, StatementKind.DELETE
    };
    int[] counts = {
      operations.indexUpdates(), operations.nonIndexUpdates(), operations.deleteInserts()
    };
    for (int k = 0; k < kinds.length; k++) {
      StatementKind kind = kinds[k];
      int number = tableOf[kind.ordinal()];
      TablePlacement table = tables.get(number - 1);
      for (int i = 0; i < counts[k]; i++) {
        int shard = table.shardOf(ids[at]);
        if (home != TablePlacement.NO_SHARD && shard != home) {
          return true;
        }
        home = shard;
        at += kind == StatementKind.DELETE ? 2 : 1;
      }
    }
    return false;
  }
}
