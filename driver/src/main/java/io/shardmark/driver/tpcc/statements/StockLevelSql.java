package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.tpcc.input.StockLevel;
import java.sql.SQLException;

/**
 * The one query of Stock-Level (TPC-C 2.8.2.2), in BenchmarkSQL's shape; the IN makes the items
 * distinct.
 */
final class StockLevelSql {
  static final String COUNT_LOW_STOCK =
      "SELECT count(*) AS low_stock FROM ("
          + "SELECT s_w_id, s_i_id, s_quantity FROM bmsql_stock"
          + " WHERE s_w_id = ? AND s_quantity < ? AND s_i_id IN ("
          + "SELECT ol_i_id FROM bmsql_district"
          + " JOIN bmsql_order_line ON ol_w_id = d_w_id AND ol_d_id = d_id"
          + " AND ol_o_id >= d_next_o_id - 20 AND ol_o_id < d_next_o_id"
          + " WHERE d_w_id = ? AND d_id = ?)) L";

  private StockLevelSql() {}

  /** Runs {@link #COUNT_LOW_STOCK}, prepared as it stands, and reads what the screen shows. */
  static void read(Sql statement, StockLevel input) throws SQLException {
    statement
        .with(input.warehouseId(), input.threshold(), input.warehouseId(), input.districtId())
        .show("stock of warehouse", input.warehouseId());
  }
}
