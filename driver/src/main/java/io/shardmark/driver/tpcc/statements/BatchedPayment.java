package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.Payment;
import io.shardmark.sql.dialect.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;

/**
 * Payment with three updates, one SELECT for all that the screen shows, and the history row. Locks
 * the district before the customer, as New-Order does where a foreign key locks the customer, and
 * the warehouse, which all terminals of a warehouse update, last.
 */
final class BatchedPayment {
  private final Connection connection;
  private final CustomerByName byName;
  private final PaymentRows rows;
  private final PreparedStatement updateCustomer;
  private final PreparedStatement selectScreen;

  BatchedPayment(Connection connection, Dialect dialect) throws SQLException {
    this.connection = connection;
    byName = new CustomerByName(connection);
    rows = new PaymentRows(connection);
    updateCustomer =
        connection.prepareStatement(
            "UPDATE bmsql_customer SET c_balance = c_balance - ?,"
                + " c_ytd_payment = c_ytd_payment + ?, c_payment_cnt = c_payment_cnt + 1,"
                + " c_data = CASE WHEN c_credit = 'BC' THEN "
                + newCustomerData(dialect)
                + " ELSE c_data END WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");
    selectScreen =
        connection.prepareStatement(
            "SELECT w_name, w_street_1, w_street_2, w_city, w_state, w_zip, d_name, d_street_1,"
                + " d_street_2, d_city, d_state, d_zip, c_first, c_middle, c_last, c_street_1,"
                + " c_street_2, c_city, c_state, c_zip, c_phone, c_since, c_credit,"
                + " CASE WHEN c_credit = 'BC' THEN c_data END, c_credit_lim, c_discount, c_balance"
                + " FROM bmsql_district JOIN bmsql_warehouse ON w_id = d_w_id"
                + " CROSS JOIN bmsql_customer WHERE d_w_id = ? AND d_id = ?"
                + " AND c_w_id = ? AND c_d_id = ? AND c_id = ?");
  }

  /** C_DATA of bad credit in the database's own string functions; one parameter. */
  private static String newCustomerData(Dialect dialect) {
    return switch (dialect) {
      case MYSQL -> "LEFT(CONCAT(?, c_data), 500)";
      case ORACLE -> "SUBSTR(? || c_data, 1, 500)";
      // Firebird needs the type of a parameter that stands in an expression.
      case FIREBIRD -> "LEFT(CAST(? AS VARCHAR(100)) || c_data, 500)";
      case POSTGRES -> "left(? || c_data, 500)";
    };
  }

  Outcome execute(Payment input) throws SQLException {
    int customerId =
        byName.resolve(
            input.customerWarehouseId(),
            input.customerDistrictId(),
            input.customerId(),
            input.customerLast());
    rows.payDistrict(input);
    payCustomer(input, customerId);
    String historyData = readScreen(input, customerId);
    rows.insertHistory(input, customerId, Timestamp.from(Instant.now()), historyData);
    rows.payWarehouse(input);
    connection.commit();
    return Outcome.COMMITTED;
  }

  private void payCustomer(Payment input, int customerId) throws SQLException {
    updateCustomer.setBigDecimal(1, input.amount());
    updateCustomer.setBigDecimal(2, input.amount());
    updateCustomer.setString(3, PaymentText.customerData(input, customerId, ""));
    PaymentRows.bindCustomer(updateCustomer, 4, input, customerId);
    Rows.requireCount(
        1,
        updateCustomer.executeUpdate(),
        "customer",
        input.customerWarehouseId(),
        input.customerDistrictId(),
        customerId);
  }

  /** Reads all that the screen shows (2.5.3.3) and returns H_DATA. */
  private String readScreen(Payment input, int customerId) throws SQLException {
    Parameters.set(selectScreen, 1, input.warehouseId(), input.districtId());
    PaymentRows.bindCustomer(selectScreen, 3, input, customerId);
    try (ResultSet row = selectScreen.executeQuery()) {
      Rows.requireNext(row, "district", input.warehouseId(), input.districtId());
      String historyData =
          PaymentText.historyData(
              Rows.requireString(row, 1, "w_name of warehouse", input.warehouseId()),
              Rows.requireString(
                  row, 7, "d_name of district", input.warehouseId(), input.districtId()));
      for (int column = 2; column <= 21; column++) {
        row.getString(column);
      }
      row.getTimestamp(22);
      row.getString(23);
      row.getString(24);
      for (int column = 25; column <= 27; column++) {
        row.getBigDecimal(column);
      }
      return historyData;
    }
  }
}
