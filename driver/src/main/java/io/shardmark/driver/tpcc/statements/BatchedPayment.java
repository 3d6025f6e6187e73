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
  private final PreparedStatement updateDistrict;
  private final PreparedStatement updateCustomer;
  private final PreparedStatement selectScreen;
  private final PreparedStatement insertHistory;
  private final PreparedStatement updateWarehouse;

  BatchedPayment(Connection connection, Dialect dialect) throws SQLException {
    this.connection = connection;
    byName = new CustomerByName(connection);
    updateDistrict =
        connection.prepareStatement(
            "UPDATE bmsql_district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?");
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
    insertHistory =
        connection.prepareStatement(
            "INSERT INTO bmsql_history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date,"
                + " h_amount, h_data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    updateWarehouse =
        connection.prepareStatement("UPDATE bmsql_warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?");
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
    updateDistrict.setBigDecimal(1, input.amount());
    Parameters.set(updateDistrict, 2, input.warehouseId(), input.districtId());
    Rows.requireCount(
        1, updateDistrict.executeUpdate(), "district", input.warehouseId(), input.districtId());
    payCustomer(input, customerId);
    insertHistory(input, customerId, readScreen(input, customerId));
    updateWarehouse.setBigDecimal(1, input.amount());
    updateWarehouse.setInt(2, input.warehouseId());
    Rows.requireCount(1, updateWarehouse.executeUpdate(), "warehouse", input.warehouseId());
    connection.commit();
    return Outcome.COMMITTED;
  }

  private void payCustomer(Payment input, int customerId) throws SQLException {
    updateCustomer.setBigDecimal(1, input.amount());
    updateCustomer.setBigDecimal(2, input.amount());
    updateCustomer.setString(3, PaymentText.customerData(input, customerId, ""));
    bindCustomer(updateCustomer, 4, input, customerId);
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
    bindCustomer(selectScreen, 3, input, customerId);
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

  private void insertHistory(Payment input, int customerId, String data) throws SQLException {
    Parameters.set(
        insertHistory,
        1,
        customerId,
        input.customerDistrictId(),
        input.customerWarehouseId(),
        input.districtId(),
        input.warehouseId());
    insertHistory.setTimestamp(6, Timestamp.from(Instant.now()));
    insertHistory.setBigDecimal(7, input.amount());
    insertHistory.setString(8, data);
    insertHistory.executeUpdate();
  }

  private static void bindCustomer(
      PreparedStatement statement, int first, Payment input, int customerId) throws SQLException {
    Parameters.set(
        statement, first, input.customerWarehouseId(), input.customerDistrictId(), customerId);
  }
}
