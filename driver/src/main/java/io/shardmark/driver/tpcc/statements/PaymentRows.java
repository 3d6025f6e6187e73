package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.tpcc.input.Payment;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** What Payment writes beside its customer, a statement for each row. */
final class PaymentRows {
  private final PreparedStatement updateDistrict;
  private final PreparedStatement updateWarehouse;
  private final PreparedStatement insertHistory;

  PaymentRows(Connection connection) throws SQLException {
    updateDistrict =
        connection.prepareStatement(
            "UPDATE bmsql_district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?");
    updateWarehouse =
        connection.prepareStatement("UPDATE bmsql_warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?");
    insertHistory =
        connection.prepareStatement(
            "INSERT INTO bmsql_history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date,"
                + " h_amount, h_data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  }

  void payDistrict(Payment input) throws SQLException {
    updateDistrict.setBigDecimal(1, input.amount());
    Parameters.set(updateDistrict, 2, input.warehouseId(), input.districtId());
    Rows.requireCount(
        1, updateDistrict.executeUpdate(), "district", input.warehouseId(), input.districtId());
  }

  void payWarehouse(Payment input) throws SQLException {
    updateWarehouse.setBigDecimal(1, input.amount());
    updateWarehouse.setInt(2, input.warehouseId());
    Rows.requireCount(1, updateWarehouse.executeUpdate(), "warehouse", input.warehouseId());
  }

  /**
   * @param now in the type that the profile's drivers take
   */
  void insertHistory(Payment input, int customerId, Object now, String data) throws SQLException {
    Parameters.set(
        insertHistory,
        1,
        customerId,
        input.customerDistrictId(),
        input.customerWarehouseId(),
        input.districtId(),
        input.warehouseId());
    insertHistory.setObject(6, now);
    insertHistory.setBigDecimal(7, input.amount());
    insertHistory.setString(8, data);
    insertHistory.executeUpdate();
  }

  static void bindCustomer(PreparedStatement statement, int first, Payment input, int customerId)
      throws SQLException {
    Parameters.set(
        statement, first, input.customerWarehouseId(), input.customerDistrictId(), customerId);
  }
}
