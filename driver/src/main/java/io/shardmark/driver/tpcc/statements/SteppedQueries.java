package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.OrderStatus;
import io.shardmark.driver.tpcc.input.StockLevel;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;

/** Order-Status and Stock-Level, the two transactions that only read, in BenchmarkSQL's steps. */
final class SteppedQueries {
  private final Connection connection;
  private final CustomerByName byName;
  private final PreparedStatement selectCustomer;
  private final PreparedStatement selectLastOrder;
  private final PreparedStatement selectLines;
  private final PreparedStatement countLowStock;

  SteppedQueries(Connection connection, CustomerByName byName) throws SQLException {
    this.connection = connection;
    this.byName = byName;
    selectCustomer =
        connection.prepareStatement(
            "SELECT c_first, c_middle, c_last, c_balance FROM bmsql_customer"
                + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");
    selectLastOrder =
        connection.prepareStatement(
            "SELECT o_id, o_entry_d, o_carrier_id FROM bmsql_oorder"
                + " WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? AND o_id = ("
                + "SELECT max(o_id) FROM bmsql_oorder"
                + " WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ?)");
    selectLines =
        connection.prepareStatement(
            "SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d"
                + " FROM bmsql_order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?"
                + " ORDER BY ol_w_id, ol_d_id, ol_o_id, ol_number");
    countLowStock = connection.prepareStatement(StockLevelSql.COUNT_LOW_STOCK);
  }

  Outcome orderStatus(OrderStatus input) throws SQLException {
    int warehouseId = input.warehouseId();
    int districtId = input.districtId();
    int customerId =
        byName.resolve(warehouseId, districtId, input.customerId(), input.customerLast());
    Parameters.set(selectCustomer, 1, warehouseId, districtId, customerId);
    try (ResultSet row = selectCustomer.executeQuery()) {
      Rows.requireNext(row, "customer", warehouseId, districtId, customerId);
      row.getString(1);
      row.getString(2);
      row.getString(3);
      row.getBigDecimal(4);
    }
    readLines(input, readLastOrder(input, customerId));
    connection.commit();
    return Outcome.COMMITTED;
  }

  private int readLastOrder(OrderStatus input, int customerId) throws SQLException {
    for (int first = 1; first <= 4; first += 3) {
      Parameters.set(selectLastOrder, first, input.warehouseId(), input.districtId(), customerId);
    }
    try (ResultSet row = selectLastOrder.executeQuery()) {
      Rows.requireNext(
          row, "last order of customer", input.warehouseId(), input.districtId(), customerId);
      row.getObject(2, LocalDateTime.class);
      row.getInt(3);
      return row.getInt(1);
    }
  }

  private void readLines(OrderStatus input, int orderId) throws SQLException {
    Parameters.set(selectLines, 1, input.warehouseId(), input.districtId(), orderId);
    try (ResultSet rows = selectLines.executeQuery()) {
      Rows.requireNext(rows, "lines of order", input.warehouseId(), input.districtId(), orderId);
      do {
        rows.getInt(1);
        rows.getInt(2);
        rows.getInt(3);
        rows.getBigDecimal(4);
        rows.getObject(5, LocalDateTime.class);
      } while (rows.next());
    }
  }

  Outcome stockLevel(StockLevel input) throws SQLException {
    StockLevelSql.read(countLowStock, input);
    connection.commit();
    return Outcome.COMMITTED;
  }
}
