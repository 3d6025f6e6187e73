package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.Delivery;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * The deferred part of Delivery in BenchmarkSQL's steps: seven statements for each district, one
 * commit.
 */
final class SteppedDelivery {
  private static final int DISTRICTS = 10;
  private static final int NO_OPEN_ORDER = -1;

  private final Connection connection;
  private final PreparedStatement selectOldest;
  private final PreparedStatement deleteOldest;
  private final PreparedStatement updateOrder;
  private final PreparedStatement selectOrder;
  private final PreparedStatement updateLines;
  private final PreparedStatement sumLines;
  private final PreparedStatement updateCustomer;

  SteppedDelivery(Connection connection) throws SQLException {
    this.connection = connection;
    // No LIMIT: BenchmarkSQL's text. Every open order of the district comes over the wire.
    selectOldest =
        connection.prepareStatement(
            "SELECT no_o_id FROM bmsql_new_order WHERE no_w_id = ? AND no_d_id = ? ORDER BY no_o_id ASC");
    deleteOldest =
        connection.prepareStatement(
            "DELETE FROM bmsql_new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?");
    updateOrder =
        connection.prepareStatement(
            "UPDATE bmsql_oorder SET o_carrier_id = ? WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?");
    selectOrder =
        connection.prepareStatement(
            "SELECT o_c_id FROM bmsql_oorder WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?");
    updateLines =
        connection.prepareStatement(
            "UPDATE bmsql_order_line SET ol_delivery_d = ?"
                + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?");
    sumLines =
        connection.prepareStatement(
            "SELECT sum(ol_amount) AS sum_ol_amount FROM bmsql_order_line"
                + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?");
    updateCustomer =
        connection.prepareStatement(
            "UPDATE bmsql_customer SET c_balance = c_balance + ?, c_delivery_cnt = c_delivery_cnt + 1"
                + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");
  }

  Outcome execute(Delivery.Background input) throws SQLException {
    LocalDateTime now = LocalDateTime.now(ZoneId.systemDefault());
    int skipped = 0;
    for (int districtId = 1; districtId <= DISTRICTS; districtId++) {
      int orderId = takeOldest(input.warehouseId(), districtId);
      if (orderId == NO_OPEN_ORDER) {
        skipped++;
      } else {
        deliver(input, districtId, orderId, now);
      }
    }
    connection.commit();
    return Outcome.committedSkipping(skipped);
  }

  /**
   * Another terminal may take the order between the SELECT and the DELETE; then the next one is
   * tried.
   */
  private int takeOldest(int warehouseId, int districtId) throws SQLException {
    int before = NO_OPEN_ORDER;
    while (true) {
      int orderId;
      Parameters.set(selectOldest, 1, warehouseId, districtId);
      try (ResultSet rows = selectOldest.executeQuery()) {
        if (!rows.next()) {
          return NO_OPEN_ORDER;
        }
        orderId = rows.getInt(1);
      }
      if (orderId == before) {
        throw OrderTaken.serializationFailure(warehouseId, districtId, orderId);
      }
      before = orderId;
      Parameters.set(deleteOldest, 1, warehouseId, districtId, orderId);
      if (deleteOldest.executeUpdate() > 0) {
        return orderId;
      }
    }
  }

  private void deliver(Delivery.Background input, int districtId, int orderId, LocalDateTime now)
      throws SQLException {
    int warehouseId = input.warehouseId();
    updateOrder.setInt(1, input.carrierId());
    Parameters.set(updateOrder, 2, warehouseId, districtId, orderId);
    Rows.requireCount(1, updateOrder.executeUpdate(), "order", warehouseId, districtId, orderId);

    int customerId;
    Parameters.set(selectOrder, 1, warehouseId, districtId, orderId);
    try (ResultSet row = selectOrder.executeQuery()) {
      Rows.requireNext(row, "order", warehouseId, districtId, orderId);
      customerId = Rows.requireInt(row, 1, "o_c_id of order", warehouseId, districtId, orderId);
    }
    updateLines.setObject(1, now);
    Parameters.set(updateLines, 2, warehouseId, districtId, orderId);
    if (updateLines.executeUpdate() == 0) {
      throw Rows.missing("lines of order", warehouseId, districtId, orderId);
    }
    BigDecimal amount;
    Parameters.set(sumLines, 1, warehouseId, districtId, orderId);
    try (ResultSet row = sumLines.executeQuery()) {
      Rows.requireNext(row, "lines of order", warehouseId, districtId, orderId);
      amount =
          Rows.requireDecimal(
              row, 1, "sum of ol_amount of order", warehouseId, districtId, orderId);
    }
    updateCustomer.setBigDecimal(1, amount);
    Parameters.set(updateCustomer, 2, warehouseId, districtId, customerId);
    Rows.requireCount(
        1, updateCustomer.executeUpdate(), "customer", warehouseId, districtId, customerId);
  }
}
