package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.Delivery;
import io.shardmark.loader.tpcc.PopulationUnit;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * The deferred part of Delivery in BenchmarkSQL's steps: seven statements for each district, one
 * commit.
 */
final class SteppedDelivery {
  private static final int NO_OPEN_ORDER = -1;

  private final Connection connection;
  private final Sql selectOldest;
  private final Sql deleteOldest;
  private final Sql updateOrder;
  private final Sql selectOrder;
  private final Sql updateLines;
  private final Sql sumLines;
  private final Sql updateCustomer;

  SteppedDelivery(Connection connection) throws SQLException {
    Sql.Preparer sql = Sql.on(connection);
    this.connection = connection;
    // No LIMIT: BenchmarkSQL's text. Every open order of the district comes over the wire.
    selectOldest =
        sql.of(
            "SELECT no_o_id FROM bmsql_new_order WHERE no_w_id = ? AND no_d_id = ? ORDER BY no_o_id ASC");
    deleteOldest =
        sql.of("DELETE FROM bmsql_new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?");
    updateOrder =
        sql.of(
            "UPDATE bmsql_oorder SET o_carrier_id = ? WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?");
    selectOrder =
        sql.of("SELECT o_c_id FROM bmsql_oorder WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?");
    updateLines =
        sql.of(
            "UPDATE bmsql_order_line SET ol_delivery_d = ?"
                + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?");
    sumLines =
        sql.of(
            "SELECT sum(ol_amount) AS sum_ol_amount FROM bmsql_order_line"
                + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?");
    updateCustomer =
        sql.of(
            "UPDATE bmsql_customer SET c_balance = c_balance + ?, c_delivery_cnt = c_delivery_cnt + 1"
                + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");
  }

  Outcome execute(Delivery.Background input) throws SQLException {
    LocalDateTime now = LocalDateTime.now(ZoneId.systemDefault());
    int skipped = 0;
    for (int districtId = 1; districtId <= PopulationUnit.DISTRICTS; districtId++) {
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
      try (ResultSet rows = selectOldest.with(warehouseId, districtId).rows()) {
        if (!rows.next()) {
          return NO_OPEN_ORDER;
        }
        orderId = rows.getInt(1);
      }
      if (orderId == before) {
        throw Rows.takenMeanwhile(warehouseId, districtId, orderId);
      }
      before = orderId;
      if (deleteOldest.with(warehouseId, districtId, orderId).update() > 0) {
        return orderId;
      }
    }
  }

  private void deliver(Delivery.Background input, int districtId, int orderId, LocalDateTime now)
      throws SQLException {
    int warehouseId = input.warehouseId();
    int[] key = {warehouseId, districtId, orderId};
    updateOrder.with(input.carrierId()).andKey(key).update(1, "order");
    int customerId = selectOrder.withKey(key).oneInt(1, "o_c_id of order", "order");
    if (updateLines.with(now).andKey(key).update() == 0) {
      throw Rows.missing("lines of order", key);
    }
    BigDecimal amount =
        sumLines.withKey(key).oneDecimal(1, "sum of ol_amount of order", "lines of order");
    updateCustomer.with(amount).andKey(warehouseId, districtId, customerId).update(1, "customer");
  }
}
