package io.shardmark.driver.replication;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.verify.Condition;
import io.shardmark.driver.verify.Conditions;
import java.util.ArrayList;
import java.util.List;

/** What every mix of operations keeps, of each table. */
record ReplicationConditions(TableLayout layout) implements Conditions {
  @Override
  public String table() {
    return TableLayout.name(0);
  }

  @Override
  public List<Condition> all(DatabaseKind kind) {
    List<Condition> conditions = new ArrayList<>();
    for (int table = 0; table < layout.tables(); table++) {
      String name = TableLayout.name(table);
      conditions.add(
          Condition.always(
              "transactions " + name,
              "the rows of one transaction are all there or all gone",
              1,
              1,
              "SELECT c3, count(*) AS found FROM %s GROUP BY c3 HAVING count(*) <> %d"
                  .formatted(name, layout.statements())));
      conditions.add(
          Condition.always(
              "rows " + name,
              "each row is that of its id, in a lane of its table, as wide as its columns",
              2,
              1,
              """
              SELECT c1, c2, left(c4, 10) AS c4 FROM %s
               WHERE concat(c2, left(c4, 10), left(c5, 10), left(c6, 10), c7, c8)
                       <> repeat(lpad(c1::text, 10, '0'), 6)
                  OR octet_length(concat(c4, c5, c6)) <> %d
                  OR c1 / %d %% %d <> %d OR c9 IS NULL OR c10 IS NULL OR c3 IS NULL OR c3 > c1
              """
                  .formatted(
                      name, 3 * layout.width(), TableLayout.IDS_OF_LANE, layout.tables(), table)));
    }
    return conditions;
  }
}
