package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.StockLevel;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Stock-Level (TPC-C 2.8.2.2) as one query in BenchmarkSQL's shape; the IN makes the items
 * distinct.
 */
final class StockLevelQuery {
  static final String COUNT_LOW_STOCK =
      "SELECT count(*) AS low_stock FROM ("
          + "SELECT s_w_id, s_i_id, s_quantity FROM bmsql_stock"
          + " WHERE s_w_id = ? AND s_quantity < ? AND s_i_id IN ("
          + "SELECT ol_i_id FROM bmsql_district"
          + " JOIN bmsql_order_line ON ol_w_id = d_w_id AND ol_d_id = d_id"
          + " AND ol_o_id >= d_next_o_id - 20 AND ol_o_id < d_next_o_id"
          + " WHERE d_w_id = ? AND d_id = ?)) L";

  private final Connection connection;
  private final Sql countLowStock;

  StockLevelQuery(Connection connection) throws SQLException {
    this.connection = connection;
    countLowStock = new Sql(connection, COUNT_LOW_STOCK);
  }

  Outcome execute(StockLevel input) throws SQLException {
    int warehouseId = input.warehouseId();
    countLowStock
        .withKey(warehouseId)
        .and(input.threshold(), warehouseId, input.districtId())
        .show("stock of warehouse");
    connection.commit();
    return Outcome.COMMITTED;
  }
}
