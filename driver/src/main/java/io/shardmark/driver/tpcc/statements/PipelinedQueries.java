package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.OrderStatus;
import io.shardmark.driver.tpcc.input.StockLevel;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Order-Status and Stock-Level in one round trip each. */
final class PipelinedQueries {
  private static final String BY_ID = "c_id = ?";

  private static final String BY_NAME =
      "c_id = (SELECT (array_agg(c_id ORDER BY c_first))[(count(*) + 1) / 2]"
          + " FROM bmsql_customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ?)";

  /**
   * No index leads from a customer to its orders, so the district's orders are met from the newest
   * on until one is the customer's. Without OFFSET 0 the planner would rather read and sort all.
   */
  private static final String ORDER_STATUS =
      "WITH chosen AS MATERIALIZED (SELECT c_id, c_first, c_middle, c_last, c_balance"
          + " FROM bmsql_customer WHERE c_w_id = ? AND c_d_id = ? AND %s)"
          + " SELECT chosen.*, o_id, o_entry_d, o_carrier_id,"
          + " ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d"
          + " FROM chosen CROSS JOIN LATERAL (SELECT o_id, o_entry_d, o_carrier_id"
          + " FROM (SELECT o_id, o_entry_d, o_carrier_id, o_c_id FROM bmsql_oorder"
          + " WHERE o_w_id = ? AND o_d_id = ? ORDER BY o_id DESC OFFSET 0) newest_first"
          + " WHERE o_c_id = chosen.c_id LIMIT 1) last_order"
          + " JOIN bmsql_order_line ON ol_w_id = ? AND ol_d_id = ? AND ol_o_id = o_id"
          + " ORDER BY ol_number";

  private static final String NEXT_ORDER =
      "(SELECT d_next_o_id FROM bmsql_district WHERE d_w_id = ? AND d_id = ?)";

  /**
   * The last 20 orders lie between two values that the planner takes for constants, so it expects
   * few lines. Between two columns of a joined row it expects a ninth of the district's lines, and
   * once there are many of them it reads the warehouse's whole stock.
   */
  static final String COUNT_LOW_STOCK =
      "SELECT count(*) AS low_stock FROM bmsql_stock"
          + " WHERE s_w_id = ? AND s_quantity < ? AND s_i_id IN ("
          + "SELECT ol_i_id FROM bmsql_order_line WHERE ol_w_id = ? AND ol_d_id = ?"
          + (" AND ol_o_id >= " + NEXT_ORDER + " - 20 AND ol_o_id < " + NEXT_ORDER + ")");

  private final Connection connection;
  private final Sql statusById;
  private final Sql statusByName;
  private final Sql countLowStock;

  PipelinedQueries(Connection connection) throws SQLException {
    this.connection = connection;
    statusById = new Sql(connection, ORDER_STATUS.formatted(BY_ID));
    statusByName = new Sql(connection, ORDER_STATUS.formatted(BY_NAME));
    countLowStock = new Sql(connection, COUNT_LOW_STOCK);
  }

  Outcome orderStatus(OrderStatus input) throws SQLException {
    connection.setAutoCommit(true);
    int warehouseId = input.warehouseId();
    int districtId = input.districtId();
    String name = input.customerLast();
    Sql statement = name == null ? statusById : statusByName;
    statement.with(warehouseId, districtId);
    if (name == null) {
      statement.and(input.customerId());
    } else {
      statement.and(warehouseId, districtId, name);
    }
    statement.and(warehouseId, districtId, warehouseId, districtId);
    try (ResultSet rows = statement.rows()) {
      Rows.requireNext(
          rows,
          "customer " + name + ", or its last order, of",
          warehouseId,
          districtId,
          input.customerId());
      statement.showLines(rows, 9);
    }
    return Outcome.COMMITTED;
  }

  Outcome stockLevel(StockLevel input) throws SQLException {
    connection.setAutoCommit(true);
    int warehouseId = input.warehouseId();
    int districtId = input.districtId();
    countLowStock
        .with(warehouseId, input.threshold(), warehouseId, districtId)
        .and(warehouseId, districtId, warehouseId, districtId)
        .show("stock of warehouse", warehouseId);
    return Outcome.COMMITTED;
  }
}
