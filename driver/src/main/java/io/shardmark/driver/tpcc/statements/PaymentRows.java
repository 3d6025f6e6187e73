package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.tpcc.input.Payment;
import java.sql.Connection;
import java.sql.SQLException;

/** What Payment writes beside its customer, a statement for each row. */
final class PaymentRows {
  private final Sql updateDistrict;
  private final Sql updateWarehouse;
  private final Sql insertHistory;

  PaymentRows(Connection connection) throws SQLException {
    updateDistrict =
        new Sql(
            connection,
            "UPDATE bmsql_district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?");
    updateWarehouse =
        new Sql(connection, "UPDATE bmsql_warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?");
    insertHistory =
        new Sql(
            connection,
            "INSERT INTO bmsql_history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date,"
                + " h_amount, h_data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  }

  void payDistrict(Payment input) throws SQLException {
    updateDistrict
        .with(input.amount(), input.warehouseId(), input.districtId())
        .update(1, "district", input.warehouseId(), input.districtId());
  }

  void payWarehouse(Payment input) throws SQLException {
    updateWarehouse
        .with(input.amount(), input.warehouseId())
        .update(1, "warehouse", input.warehouseId());
  }

  /**
   * @param now in the type that the profile's drivers take
   */
  void insertHistory(Payment input, int customerId, Object now, String data) throws SQLException {
    insertHistory
        .with(customerId, input.customerDistrictId(), input.customerWarehouseId())
        .and(input.districtId(), input.warehouseId(), now, input.amount(), data)
        .update();
  }
}
