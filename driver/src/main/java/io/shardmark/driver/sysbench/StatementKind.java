package io.shardmark.driver.sysbench;

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
  INSERT("INSERT INTO sbtest%d (id, k, c, pad) VALUES (?, ?, ?, ?)");

  static final int COUNT = values().length;

  private final String sql;

  StatementKind(String sql) {
    this.sql = sql;
  }

  String sql(int table) {
    return sql.formatted(table);
  }
}
