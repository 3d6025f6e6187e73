package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.Payment;
import io.shardmark.sql.dialect.Dialect;
import java.sql.Connection;
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
  private final Sql updateCustomer;
  private final Sql selectScreen;

  BatchedPayment(Connection connection, Dialect dialect) throws SQLException {
    this.connection = connection;
    byName = new CustomerByName(connection);
    rows = new PaymentRows(connection);
    updateCustomer =
        new Sql(
            connection,
            "UPDATE bmsql_customer SET c_balance = c_balance - ?,"
                + " c_ytd_payment = c_ytd_payment + ?, c_payment_cnt = c_payment_cnt + 1,"
                + " c_data = CASE WHEN c_credit = 'BC' THEN "
                + newCustomerData(dialect)
                + " ELSE c_data END WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");
    selectScreen =
        new Sql(
            connection,
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
      // Concatenation with null is the other text there.
      case ORACLE -> "NVL2(c_data, SUBSTR(? || c_data, 1, 500), NULL)";
      // Firebird needs the type of a parameter in an expression.
      case FIREBIRD -> "LEFT(CAST(? AS VARCHAR(100)) || c_data, 500)";
      case POSTGRES -> "left(? || c_data, 500)";
    };
  }

  Outcome execute(Payment input) throws SQLException {
    int warehouseId = input.warehouseId();
    int districtId = input.districtId();
    int ofWarehouse = input.customerWarehouseId();
    int ofDistrict = input.customerDistrictId();
    int customerId =
        byName.resolve(ofWarehouse, ofDistrict, input.customerId(), input.customerLast());
    rows.payDistrict(input);
    updateCustomer
        .with(input.amount(), input.amount(), PaymentRows.customerData(input, customerId, ""))
        .andKey(ofWarehouse, ofDistrict, customerId)
        .update(1, "customer");
    String historyData =
        selectScreen
            .withKey(warehouseId, districtId)
            .and(ofWarehouse, ofDistrict, customerId)
            .one(
                row -> {
                  PaymentRows.requireCredit(row, 23, 24, ofWarehouse, ofDistrict, customerId);
                  return PaymentRows.historyData(
                      Rows.requireString(row, 1, "w_name of warehouse", warehouseId),
                      Rows.requireString(row, 7, "d_name of district", warehouseId, districtId));
                },
                "district");
    rows.insertHistory(input, customerId, Timestamp.from(Instant.now()), historyData);
    rows.payWarehouse(input);
    connection.commit();
    return Outcome.COMMITTED;
  }
}
