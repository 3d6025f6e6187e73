package io.shardmark.driver.bmt;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.verify.Condition;
import io.shardmark.driver.verify.Conditions;
import java.util.List;

/**
 * What every mix of operations keeps.
 *
 * @param statements of a transaction
 */
record BmtConditions(int statements) implements Conditions {
  @Override
  public String table() {
    return "tb_test1";
  }

  @Override
  public List<Condition> all(DatabaseKind kind) {
    return List.of(
        Condition.ofSums(
            "transactions",
            "the rows of one transaction are all there or all gone",
            1,
            1,
            "SELECT c3, count(*) AS found FROM tb_test1 GROUP BY c3",
            Condition.ExpectedSum.of("found", statements)),
        Condition.always(
            "rows",
            "each row is that of its id: c2 and c4 to c8 are 500 wide and begin with it",
            2,
            1,
            """
            SELECT c1, left(c2, 10) AS c2, left(c4, 10) AS c4 FROM tb_test1
             WHERE concat(left(c2, 10), left(c4, 10), left(c5, 10), left(c6, 10), left(c7, 10),
                          left(c8, 10)) <> repeat(lpad(c1::text, 10, '0'), 6)
                OR octet_length(concat(c2, c4, c5, c6, c7, c8)) <> 3000
                OR c9 IS DISTINCT FROM %d OR c10 IS NULL OR c3 IS NULL OR c3 > c1
            """
                .formatted(statements)));
  }
}
