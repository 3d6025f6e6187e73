package io.shardmark.driver.sysbench;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.verify.Condition;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.driver.verify.CrossShardCondition;
import io.shardmark.driver.verify.SumCondition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** What sysbench's transactions keep: every row, and the form of its texts. */
record SysbenchConditions(SysbenchTables tables) implements Conditions {
  @Override
  public String table() {
    return "sbtest" + tables.count();
  }

  @Override
  public List<Condition> all(DatabaseKind kind) {
    List<Condition> all = new ArrayList<>();
    for (int table = 1; table <= tables.count(); table++) {
      all.add(tables.ids() == SysbenchTest.Ids.ALL ? ids(table).onOneServer() : idsLeft(table));
      all.add(texts(table));
    }
    return all;
  }

  @Override
  public List<CrossShardCondition> overShards(int shards) {
    return IntStream.rangeClosed(1, tables.ids() == SysbenchTest.Ids.ALL ? tables.count() : 0)
        .mapToObj(table -> ids(table).overShards())
        .toList();
  }

  private SumCondition ids(int table) {
    return SumCondition.ids(
        "rows", "sbtest" + table, "id", tables.size(), "tableSize=" + tables.size(), 1);
  }

  /** What the tests leave that only delete or only insert. */
  private Condition idsLeft(int table) {
    return tables.ids() == SysbenchTest.Ids.FEWER
        ? Condition.always(
            "rows",
            "sbtest%d has no ids but 1 to %d (tableSize=%d)"
                .formatted(table, tables.size(), tables.size()),
            1,
            1,
            "SELECT id FROM sbtest%d WHERE id NOT BETWEEN 1 AND %d".formatted(table, tables.size()))
        : Condition.overDatabase(
            "rows",
            "sbtest%d has the ids 1 to %d and larger ones (tableSize=%d)"
                .formatted(table, tables.size(), tables.size()),
            1,
            1,
            "SELECT * FROM (SELECT count(*) FILTER (WHERE id BETWEEN 1 AND %1$d) AS found, min(id) AS first FROM sbtest%2$d) ids WHERE found <> %1$d OR first <> 1"
                .formatted(tables.size(), table));
  }

  /**
   * Updates add to k and draw the texts anew. A regular expression would take ten times as long.
   */
  private static Condition texts(int table) {
    return Condition.always(
        "texts",
        "sbtest%d: k is from 1 on, c has 10 and pad 5 groups of 11 digits".formatted(table),
        2,
        1,
        """
        SELECT id, k, c, pad FROM sbtest%d
         WHERE k < 1 OR translate(c, '123456789', '000000000') <> '%s'
            OR translate(pad, '123456789', '000000000') <> '%s'
        """
            .formatted(table, zeros(10), zeros(5)));
  }

  private static String zeros(int groups) {
    return String.join("-", Collections.nCopies(groups, "0".repeat(11)));
  }
}
