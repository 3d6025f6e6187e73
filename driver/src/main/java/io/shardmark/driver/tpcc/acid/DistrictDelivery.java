package io.shardmark.driver.tpcc.acid;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;

/** Delivers all that is open in one district, as so many Deliveries would: TPC-C 2.7.4.2. */
final class DistrictDelivery {
  private static final int CARRIER = 1;

  private static final String OPEN =
      "SELECT o_id, o_c_id, sum(ol_amount) FROM bmsql_new_order"
          + " JOIN bmsql_oorder ON o_w_id = no_w_id AND o_d_id = no_d_id AND o_id = no_o_id"
          + " JOIN bmsql_order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id"
          + " WHERE no_w_id = ? AND no_d_id = ? GROUP BY o_id, o_c_id";

  private DistrictDelivery() {}

  /**
   * Within the connection's transaction.
   *
   * @param district of the first warehouse
   */
  static void deliverAll(Connection connection, int district) throws SQLException {
    try (PreparedStatement open = connection.prepareStatement(OPEN);
        PreparedStatement pay =
            connection.prepareStatement(
                "UPDATE bmsql_customer SET c_balance = c_balance + ?,"
                    + " c_delivery_cnt = c_delivery_cnt + 1"
                    + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");
        PreparedStatement close =
            connection.prepareStatement(
                "UPDATE bmsql_oorder SET o_carrier_id = "
                    + CARRIER
                    + " WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?");
        PreparedStatement date =
            connection.prepareStatement(
                "UPDATE bmsql_order_line SET ol_delivery_d = ?"
                    + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?");
        PreparedStatement remove =
            connection.prepareStatement(
                "DELETE FROM bmsql_new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?")) {
      key(open, 1, district, 0);
      Timestamp now = Timestamp.from(Instant.now());
      boolean any = false;
      try (ResultSet orders = open.executeQuery()) {
        while (orders.next()) {
          any = true;
          int order = orders.getInt(1);
          pay.setBigDecimal(1, orders.getBigDecimal(3));
          key(pay, 2, district, orders.getInt(2));
          pay.addBatch();
          key(close, 1, district, order);
          close.addBatch();
          date.setTimestamp(1, now);
          key(date, 2, district, order);
          date.addBatch();
          key(remove, 1, district, order);
          remove.addBatch();
        }
      }
      if (any) {
        pay.executeBatch();
        close.executeBatch();
        date.executeBatch();
        remove.executeBatch();
      }
    }
  }

  /** Binds warehouse, district and, if it is not 0, what is left of a key. */
  private static void key(PreparedStatement statement, int first, int district, int last)
      throws SQLException {
    statement.setInt(first, TestData.WAREHOUSE);
    statement.setInt(first + 1, district);
    if (last != 0) {
      statement.setInt(first + 2, last);
    }
  }
}
