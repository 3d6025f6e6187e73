package io.shardmark.driver.sysbench;

import java.util.Collections;

/** The statements of sysbench's tests on a table, in the order of a transaction. */
enum StatementKind {
  POINT_SELECT("SELECT c FROM sbtest%d WHERE id = ?"),
  SIMPLE_RANGE("SELECT c FROM sbtest%d WHERE id BETWEEN ? AND ?"),
  SUM_RANGE("SELECT SUM(k) FROM sbtest%d WHERE id BETWEEN ? AND ?"),
  ORDER_RANGE("SELECT c FROM sbtest%d WHERE id BETWEEN ? AND ? ORDER BY c"),
  DISTINCT_RANGE("SELECT DISTINCT c FROM sbtest%d WHERE id BETWEEN ? AND ? ORDER BY c"),
  INDEX_UPDATE("UPDATE sbtest%d SET k = k + 1 WHERE id = ?"),
  NON_INDEX_UPDATE("UPDATE sbtest%d SET c = ? WHERE id = ?"),
  DELETE("DELETE FROM sbtest%d WHERE id = ?"),
  /** Puts back the row of the DELETE before it. */
  INSERT("INSERT INTO sbtest%d (id, k, c, pad) VALUES (?, ?, ?, ?)"),
  /** A row whose id the server's sequence gives. */
  NEW_ROW("INSERT INTO sbtest%d (k, c, pad) VALUES (?, ?, ?)"),
  /** Rows by several values of {@code k}. */
  RANDOM_POINTS("SELECT id, k, c, pad FROM sbtest%d WHERE k IN (%s)", "?", ", "),
  /** How many rows are in several ranges of {@code k}. */
  RANDOM_RANGES("SELECT count(k) FROM sbtest%d WHERE %s", "k BETWEEN ? AND ?", " OR ");

  static final int COUNT = values().length;

  private final String sql;
  private final String value;
  private final String between;

  StatementKind(String sql) {
    this(sql, "", "");
  }

  /**
   * @param value what the statement has for each of its values
   */
  StatementKind(String sql, String value, String between) {
    this.sql = sql;
    this.value = value;
    this.between = between;
  }

  /** The key that says how often a transaction has it, or how many values it has. */
  SysbenchKey times() {
    return switch (this) {
      case POINT_SELECT -> SysbenchKey.POINT_SELECTS;
      case SIMPLE_RANGE -> SysbenchKey.SIMPLE_RANGES;
      case SUM_RANGE -> SysbenchKey.SUM_RANGES;
      case ORDER_RANGE -> SysbenchKey.ORDER_RANGES;
      case DISTINCT_RANGE -> SysbenchKey.DISTINCT_RANGES;
      case INDEX_UPDATE -> SysbenchKey.INDEX_UPDATES;
      case NON_INDEX_UPDATE -> SysbenchKey.NON_INDEX_UPDATES;
      case DELETE, INSERT, NEW_ROW -> SysbenchKey.DELETE_INSERTS;
      case RANDOM_POINTS -> SysbenchKey.RANDOM_POINTS;
      case RANDOM_RANGES -> SysbenchKey.NUMBER_OF_RANGES;
    };
  }

  /**
   * @param values of a kind that has several
   */
  String sql(int table, int values) {
    return sql.formatted(table, String.join(between, Collections.nCopies(values, value)));
  }

  boolean hasSeveralValues() {
    return compareTo(NEW_ROW) > 0;
  }

  boolean readsRange() {
    return compareTo(SIMPLE_RANGE) >= 0 && compareTo(DISTINCT_RANGE) <= 0;
  }

  /** True if it writes a row whose id is drawn for it. */
  boolean writesDrawnId() {
    return compareTo(INDEX_UPDATE) >= 0 && compareTo(INSERT) < 0;
  }

  /** How many texts are drawn for it. */
  int texts() {
    return switch (this) {
      case INSERT, NEW_ROW -> 2;
      case NON_INDEX_UPDATE -> 1;
      default -> 0;
    };
  }
}
