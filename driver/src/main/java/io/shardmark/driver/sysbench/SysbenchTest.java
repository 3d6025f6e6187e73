package io.shardmark.driver.sysbench;

import static io.shardmark.driver.sysbench.StatementKind.DELETE;
import static io.shardmark.driver.sysbench.StatementKind.DISTINCT_RANGE;
import static io.shardmark.driver.sysbench.StatementKind.INDEX_UPDATE;
import static io.shardmark.driver.sysbench.StatementKind.INSERT;
import static io.shardmark.driver.sysbench.StatementKind.NON_INDEX_UPDATE;
import static io.shardmark.driver.sysbench.StatementKind.POINT_SELECT;

import io.shardmark.config.PropertyReader;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** sysbench's OLTP tests: a stretch of the whole transaction's kinds of statements each. */
enum SysbenchTest {
  OLTP_READ_WRITE(POINT_SELECT, DELETE),
  OLTP_READ_ONLY(POINT_SELECT, DISTINCT_RANGE),
  OLTP_WRITE_ONLY(INDEX_UPDATE, DELETE),
  OLTP_POINT_SELECT(POINT_SELECT, POINT_SELECT),
  OLTP_UPDATE_INDEX(INDEX_UPDATE, INDEX_UPDATE),
  OLTP_UPDATE_NON_INDEX(NON_INDEX_UPDATE, NON_INDEX_UPDATE);

  @SuppressWarnings("ImmutableEnumChecker") // never changed
  private final Set<StatementKind> kinds;

  SysbenchTest(StatementKind first, StatementKind last) {
    kinds = EnumSet.range(first, last);
  }

  /** What a transaction of this test does, by the keys. */
  Operations operations(PropertyReader values) {
    List<StatementKind> statements = new ArrayList<>();
    for (StatementKind kind : kinds) {
      int times = times(kind, values);
      for (int i = 0; i < times; i++) {
        statements.add(kind);
        if (kind == DELETE) {
          statements.add(INSERT);
        }
      }
    }
    boolean inTransaction = kinds.size() > 1 && !values.flag(SysbenchKey.SKIP_TRX);
    return new Operations(inTransaction, values.integer(SysbenchKey.RANGE_SIZE), statements);
  }

  /** The point select test has one, whatever the key says. */
  private int times(StatementKind kind, PropertyReader values) {
    if (this == OLTP_POINT_SELECT) {
      return 1;
    }
    boolean isLeftOut = kind.readsRange() && !values.flag(SysbenchKey.RANGE_SELECTS);
    return isLeftOut ? 0 : values.integer(kind.times());
  }

  /**
   * What one transaction does.
   *
   * @param inTransaction false if each statement is one transaction
   * @param rangeSize rows of each range
   * @param statements in their order; a number is drawn for each
   */
  record Operations(boolean inTransaction, int rangeSize, List<StatementKind> statements) {
    Operations {
      statements = List.copyOf(statements);
    }

    /** What sysbench counts as queries: BEGIN and COMMIT are two of them. */
    int queries() {
      return statements.size() + (inTransaction ? 2 : 0);
    }
  }
}
