package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.OrderStatus;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Order-Status in BenchmarkSQL's steps. */
final class SteppedOrderStatus {
  private final Connection connection;
  private final CustomerByName byName;
  private final Sql selectCustomer;
  private final Sql selectLastOrder;
  private final Sql selectLines;

  SteppedOrderStatus(Connection connection, CustomerByName byName) throws SQLException {
    Sql.Preparer sql = Sql.on(connection);
    this.connection = connection;
    this.byName = byName;
    selectCustomer =
        sql.of(
            "SELECT c_first, c_middle, c_last, c_balance FROM bmsql_customer"
                + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");
    selectLastOrder =
        sql.of(
            "SELECT o_id, o_entry_d, o_carrier_id FROM bmsql_oorder"
                + " WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? AND o_id = ("
                + "SELECT max(o_id) FROM bmsql_oorder"
                + " WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ?)");
    selectLines =
        sql.of(
            "SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d"
                + " FROM bmsql_order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?"
                + " ORDER BY ol_w_id, ol_d_id, ol_o_id, ol_number");
  }

  Outcome execute(OrderStatus input) throws SQLException {
    int warehouseId = input.warehouseId();
    int districtId = input.districtId();
    int customerId =
        byName.resolve(warehouseId, districtId, input.customerId(), input.customerLast());
    int[] key = {warehouseId, districtId, customerId};
    selectCustomer.withKey(key).show("customer");
    int orderId =
        selectLastOrder
            .withKey(key)
            .andKey(key)
            .one(row -> row.getInt(1), "last order of customer");
    try (ResultSet lines = selectLines.withKey(warehouseId, districtId, orderId).rows()) {
      Rows.requireNext(lines, "lines of order", warehouseId, districtId, orderId);
      selectLines.showLines(lines, 1);
    }
    connection.commit();
    return Outcome.COMMITTED;
  }
}
