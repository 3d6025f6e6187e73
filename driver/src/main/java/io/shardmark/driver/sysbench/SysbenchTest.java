package io.shardmark.driver.sysbench;

import static io.shardmark.driver.sysbench.StatementKind.DELETE;
import static io.shardmark.driver.sysbench.StatementKind.DISTINCT_RANGE;
import static io.shardmark.driver.sysbench.StatementKind.INDEX_UPDATE;
import static io.shardmark.driver.sysbench.StatementKind.INSERT;
import static io.shardmark.driver.sysbench.StatementKind.NEW_ROW;
import static io.shardmark.driver.sysbench.StatementKind.NON_INDEX_UPDATE;
import static io.shardmark.driver.sysbench.StatementKind.POINT_SELECT;
import static io.shardmark.driver.sysbench.StatementKind.RANDOM_POINTS;
import static io.shardmark.driver.sysbench.StatementKind.RANDOM_RANGES;

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
  OLTP_UPDATE_NON_INDEX(NON_INDEX_UPDATE, NON_INDEX_UPDATE),
  SELECT_RANDOM_POINTS(RANDOM_POINTS, RANDOM_POINTS),
  SELECT_RANDOM_RANGES(RANDOM_RANGES, RANDOM_RANGES),
  OLTP_DELETE(DELETE, DELETE),
  OLTP_INSERT(NEW_ROW, NEW_ROW);

  /** What a test leaves of the ids 1 to the table's size. */
  enum Ids {
    ALL,
    FEWER,
    MORE
  }

  @SuppressWarnings("ImmutableEnumChecker") // never changed
  private final Set<StatementKind> kinds;

  SysbenchTest(StatementKind first, StatementKind last) {
    kinds = EnumSet.range(first, last);
  }

  Ids leaves() {
    return switch (this) {
      case OLTP_DELETE -> Ids.FEWER;
      case OLTP_INSERT -> Ids.MORE;
      default -> Ids.ALL;
    };
  }

  /** What a transaction of this test does, by the keys. */
  Operations operations(PropertyReader values) {
    List<StatementKind> statements = new ArrayList<>();
    for (StatementKind kind : kinds) {
      int times = times(kind, values);
      for (int i = 0; i < times; i++) {
        statements.add(kind);
        if (kind == DELETE && this != OLTP_DELETE) {
          statements.add(INSERT);
        }
      }
    }
    boolean inTransaction = kinds.size() > 1 && !values.flag(SysbenchKey.SKIP_TRX);
    int draws = statements.size();
    if (kinds.size() == 1 && draws > 0 && statements.get(0).hasSeveralValues()) {
      draws = values.integer(statements.get(0).times());
    }
    return new Operations(
        inTransaction,
        values.integer(SysbenchKey.RANGE_SIZE),
        values.integer(SysbenchKey.DELTA),
        statements,
        draws);
  }

  /** sysbench's tests that no option repeats have one statement. */
  private int times(StatementKind kind, PropertyReader values) {
    if (this == OLTP_POINT_SELECT || leaves() != Ids.ALL || kind.hasSeveralValues()) {
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
   * @param delta length of each of the ranges that one statement has
   * @param statements in their order
   * @param draws how many numbers are drawn: one for each statement, or all values of the only one
   */
  record Operations(
      boolean inTransaction, int rangeSize, int delta, List<StatementKind> statements, int draws) {
    Operations {
      statements = List.copyOf(statements);
    }

    /** What sysbench counts as queries: BEGIN and COMMIT are two of them. */
    int queries() {
      return statements.size() + (inTransaction ? 2 : 0);
    }
  }
}
