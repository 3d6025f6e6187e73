package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.Payment;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneId;

/** Payment in BenchmarkSQL's steps. */
final class SteppedPayment {
  private final Connection connection;
  private final CustomerByName byName;
  private final PaymentRows rows;
  private final PreparedStatement selectDistrict;
  private final PreparedStatement selectWarehouse;
  private final PreparedStatement selectCustomer;
  private final PreparedStatement updateCustomer;
  private final PreparedStatement selectData;
  private final PreparedStatement updateWithData;

  SteppedPayment(Connection connection, String forUpdate, CustomerByName byName)
      throws SQLException {
    this.connection = connection;
    this.byName = byName;
    rows = new PaymentRows(connection);
    selectDistrict =
        connection.prepareStatement(
            "SELECT d_name, d_street_1, d_street_2, d_city, d_state, d_zip"
                + " FROM bmsql_district WHERE d_w_id = ? AND d_id = ?");
    selectWarehouse =
        connection.prepareStatement(
            "SELECT w_name, w_street_1, w_street_2, w_city, w_state, w_zip"
                + " FROM bmsql_warehouse WHERE w_id = ?");
    selectCustomer =
        connection.prepareStatement(
            "SELECT c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip,"
                + " c_phone, c_since, c_credit, c_credit_lim, c_discount, c_balance"
                + " FROM bmsql_customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?"
                + forUpdate);
    String payments =
        "UPDATE bmsql_customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?,"
            + " c_payment_cnt = c_payment_cnt + 1";
    String key = " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    updateCustomer = connection.prepareStatement(payments + key);
    selectData = connection.prepareStatement("SELECT c_data FROM bmsql_customer" + key);
    updateWithData = connection.prepareStatement(payments + ", c_data = ?" + key);
  }

  Outcome execute(Payment input) throws SQLException {
    String districtName = payDistrict(input);
    String warehouseName = payWarehouse(input);
    int customerId =
        byName.resolve(
            input.customerWarehouseId(),
            input.customerDistrictId(),
            input.customerId(),
            input.customerLast());
    if (hasBadCredit(input, customerId)) {
      payBadCredit(input, customerId);
    } else {
      updateCustomer.setBigDecimal(1, input.amount());
      updateCustomer.setBigDecimal(2, input.amount());
      PaymentRows.bindCustomer(updateCustomer, 3, input, customerId);
      requireCustomer(updateCustomer.executeUpdate(), input, customerId);
    }
    rows.insertHistory(
        input,
        customerId,
        LocalDateTime.now(ZoneId.systemDefault()),
        PaymentText.historyData(warehouseName, districtName));
    connection.commit();
    return Outcome.COMMITTED;
  }

  private String payDistrict(Payment input) throws SQLException {
    rows.payDistrict(input);
    Parameters.set(selectDistrict, 1, input.warehouseId(), input.districtId());
    try (ResultSet row = selectDistrict.executeQuery()) {
      Rows.requireNext(row, "district", input.warehouseId(), input.districtId());
      return nameAndAddress(row, "d_name of district", input.warehouseId(), input.districtId());
    }
  }

  private String payWarehouse(Payment input) throws SQLException {
    rows.payWarehouse(input);
    selectWarehouse.setInt(1, input.warehouseId());
    try (ResultSet row = selectWarehouse.executeQuery()) {
      Rows.requireNext(row, "warehouse", input.warehouseId());
      return nameAndAddress(row, "w_name of warehouse", input.warehouseId());
    }
  }

  /** Reads all that the screen shows (2.5.3.3) and returns the name. */
  private static String nameAndAddress(ResultSet row, String what, int... key) throws SQLException {
    String name = Rows.requireString(row, 1, what, key);
    for (int column = 2; column <= 6; column++) {
      row.getString(column);
    }
    return name;
  }

  private boolean hasBadCredit(Payment input, int customerId) throws SQLException {
    PaymentRows.bindCustomer(selectCustomer, 1, input, customerId);
    try (ResultSet row = selectCustomer.executeQuery()) {
      Rows.requireNext(
          row, "customer", input.customerWarehouseId(), input.customerDistrictId(), customerId);
      for (int column = 1; column <= 9; column++) {
        row.getString(column);
      }
      row.getObject(10, LocalDateTime.class);
      boolean badCredit =
          "BC"
              .equals(
                  Rows.requireString(
                      row,
                      11,
                      "c_credit of customer",
                      input.customerWarehouseId(),
                      input.customerDistrictId(),
                      customerId));
      for (int column = 12; column <= 14; column++) {
        row.getBigDecimal(column);
      }
      return badCredit;
    }
  }

  private void payBadCredit(Payment input, int customerId) throws SQLException {
    PaymentRows.bindCustomer(selectData, 1, input, customerId);
    String data;
    try (ResultSet row = selectData.executeQuery()) {
      Rows.requireNext(
          row, "customer", input.customerWarehouseId(), input.customerDistrictId(), customerId);
      String before =
          Rows.requireString(
              row,
              1,
              "c_data of customer",
              input.customerWarehouseId(),
              input.customerDistrictId(),
              customerId);
      data = PaymentText.customerData(input, customerId, before);
    }
    updateWithData.setBigDecimal(1, input.amount());
    updateWithData.setBigDecimal(2, input.amount());
    updateWithData.setString(3, data);
    PaymentRows.bindCustomer(updateWithData, 4, input, customerId);
    requireCustomer(updateWithData.executeUpdate(), input, customerId);
  }

  private static void requireCustomer(int count, Payment input, int customerId) {
    Rows.requireCount(
        1, count, "customer", input.customerWarehouseId(), input.customerDistrictId(), customerId);
  }
}
