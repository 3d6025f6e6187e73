package io.shardmark.driver.bmt;

/** What each statement of a transaction does to one row. */
enum BmtOperation {
  INSERT(
      "INSERT INTO tb_test1 (c1, c2, c3, c4, c5, c6, c7, c8, c9, c10)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_DATE)"),
  SELECT("SELECT c1, c2, c3, c4, c5, c6, c7, c8, c9, c10 FROM tb_test1 WHERE c1 = ?"),
  UPDATE("UPDATE tb_test1 SET c4 = ?, c10 = CURRENT_DATE WHERE c1 = ?"),
  DELETE("DELETE FROM tb_test1 WHERE c1 = ?");

  private final String sql;

  BmtOperation(String sql) {
    this.sql = sql;
  }

  String sql() {
    return sql;
  }
}
