package io.shardmark.driver.sysbench;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.verify.Condition;
import io.shardmark.driver.verify.Conditions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

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
      all.add(ids(table));
      all.add(texts(table));
    }
    return all;
  }

  private Condition ids(int table) {
    String name = "sbtest" + table;
    int size = tables.size();
    return switch (tables.ids()) {
      case ALL -> Condition.ids("rows", name, "id", size, "tableSize=" + size, 1);
      case FEWER ->
          Condition.always(
              "rows",
              "%s has no ids but 1 to %d (tableSize=%d)".formatted(name, size, size),
              1,
              1,
              "SELECT id FROM %s WHERE id NOT BETWEEN 1 AND %d".formatted(name, size));
      case MORE ->
          Condition.ofSums(
              "rows",
              "%s has the ids 1 to %d and larger ones (tableSize=%d)".formatted(name, size, size),
              1,
              0,
              """
              SELECT count(*) FILTER (WHERE id BETWEEN 1 AND %d) AS found,
                     count(*) FILTER (WHERE id < 1) AS smaller
                FROM %s
              """
                  .formatted(size, name),
              Condition.ExpectedSum.of("found", size),
              Condition.ExpectedSum.of("smaller", 0));
    };
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
