package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.tpcc.input.Payment;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What Payment writes in addition to its customer, a statement for each row, and its texts in
 * BenchmarkSQL's form (TPC-C 2.5.2.2).
 */
final class PaymentRows {
  /** Of a customer whose C_DATA holds its payments. */
  static final String BAD_CREDIT = "BC";

  private static final int MAX_CUSTOMER_DATA = 500;

  private final Sql updateDistrict;
  private final Sql updateWarehouse;
  private final Sql insertHistory;

  PaymentRows(Connection connection) throws SQLException {
    Sql.Preparer sql = Sql.on(connection);
    updateDistrict =
        sql.of("UPDATE bmsql_district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?");
    updateWarehouse = sql.of("UPDATE bmsql_warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?");
    insertHistory =
        sql.of(
            "INSERT INTO bmsql_history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date,"
                + " h_amount, h_data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  }

  void payDistrict(Payment input) throws SQLException {
    updateDistrict
        .with(input.amount())
        .andKey(input.warehouseId(), input.districtId())
        .update(1, "district");
  }

  void payWarehouse(Payment input) throws SQLException {
    updateWarehouse.with(input.amount()).andKey(input.warehouseId()).update(1, "warehouse");
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

  /**
   * Checks the columns of a customer that decide what its payment writes.
   *
   * @param credit column of C_CREDIT
   * @param data column of C_DATA; null is right if the credit is good
   * @param key of the customer
   */
  static void requireCredit(ResultSet row, int credit, int data, int... key) throws SQLException {
    if (Rows.requireString(row, credit, "c_credit of customer", key).equals(BAD_CREDIT)) {
      Rows.requireString(row, data, "c_data of customer", key);
    }
  }

  /**
   * The new C_DATA of a customer with bad credit: this payment in front of the old text, cut to the
   * column.
   */
  static String customerData(Payment input, int customerId, String oldData) {
    String data = "C_ID=" + customerId + customerDataAfterId(input) + oldData;
    return data.length() > MAX_CUSTOMER_DATA ? data.substring(0, MAX_CUSTOMER_DATA) : data;
  }

  /** What is between the customer's number and the old text. */
  static String customerDataAfterId(Payment input) {
    return " C_D_ID="
        + input.customerDistrictId()
        + " C_W_ID="
        + input.customerWarehouseId()
        + " D_ID="
        + input.districtId()
        + " W_ID="
        + input.warehouseId()
        + " H_AMOUNT="
        + input.amount().toPlainString()
        + "   ";
  }

  /** H_DATA: the names of warehouse and district, four blanks between them. */
  static String historyData(String warehouseName, String districtName) {
    return warehouseName + "    " + districtName;
  }
}
