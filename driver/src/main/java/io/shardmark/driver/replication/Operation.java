package io.shardmark.driver.replication;

/** What each statement of a transaction does to one row. */
enum Operation {
  INSERT(
      "INSERT INTO %s (c1, c2, c3, c4, c5, c6, c7, c8, c9, c10)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_DATE)"),
  DELETE("DELETE FROM %s WHERE c1 = ?");

  private final String sql;

  Operation(String sql) {
    this.sql = sql;
  }

  String sql(int table) {
    return sql.formatted(TableLayout.name(table));
  }
}
