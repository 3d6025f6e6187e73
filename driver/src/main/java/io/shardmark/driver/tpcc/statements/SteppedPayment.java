package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.Payment;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneId;

/** Payment in BenchmarkSQL's steps. */
final class SteppedPayment {
  private final Connection connection;
  private final CustomerByName byName;
  private final PaymentRows rows;
  private final Sql selectDistrict;
  private final Sql selectWarehouse;
  private final Sql selectCustomer;
  private final Sql updateCustomer;
  private final Sql selectData;
  private final Sql updateWithData;

  SteppedPayment(Connection connection, String forUpdate, CustomerByName byName)
      throws SQLException {
    Sql.Preparer sql = Sql.on(connection);
    this.connection = connection;
    this.byName = byName;
    rows = new PaymentRows(connection);
    selectDistrict =
        sql.of(
            "SELECT d_name, d_street_1, d_street_2, d_city, d_state, d_zip"
                + " FROM bmsql_district WHERE d_w_id = ? AND d_id = ?");
    selectWarehouse =
        sql.of(
            "SELECT w_name, w_street_1, w_street_2, w_city, w_state, w_zip"
                + " FROM bmsql_warehouse WHERE w_id = ?");
    selectCustomer =
        sql.of(
            "SELECT c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip,"
                + " c_phone, c_since, c_credit, c_credit_lim, c_discount, c_balance"
                + " FROM bmsql_customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?"
                + forUpdate);
    String payments =
        "UPDATE bmsql_customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?,"
            + " c_payment_cnt = c_payment_cnt + 1";
    String key = " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    updateCustomer = sql.of(payments + key);
    selectData = sql.of("SELECT c_data FROM bmsql_customer" + key);
    updateWithData = sql.of(payments + ", c_data = ?" + key);
  }

  Outcome execute(Payment input) throws SQLException {
    int warehouseId = input.warehouseId();
    int districtId = input.districtId();
    rows.payDistrict(input);
    String districtName =
        selectDistrict
            .withKey(warehouseId, districtId)
            .oneString(1, "d_name of district", "district");
    rows.payWarehouse(input);
    String warehouseName =
        selectWarehouse.withKey(warehouseId).oneString(1, "w_name of warehouse", "warehouse");
    int customerId = payCustomer(input);
    rows.insertHistory(
        input,
        customerId,
        LocalDateTime.now(ZoneId.systemDefault()),
        PaymentRows.historyData(warehouseName, districtName));
    connection.commit();
    return Outcome.COMMITTED;
  }

  private int payCustomer(Payment input) throws SQLException {
    int warehouseId = input.customerWarehouseId();
    int districtId = input.customerDistrictId();
    int customerId =
        byName.resolve(warehouseId, districtId, input.customerId(), input.customerLast());
    int[] key = {warehouseId, districtId, customerId};
    Sql update = updateCustomer.with(input.amount(), input.amount());
    String credit = selectCustomer.withKey(key).oneString(11, "c_credit of customer", "customer");
    if (credit.equals(PaymentRows.BAD_CREDIT)) {
      String before = selectData.withKey(key).oneString(1, "c_data of customer", "customer");
      String data = PaymentRows.customerData(input, customerId, before);
      update = updateWithData.with(input.amount(), input.amount(), data);
    }
    update.andKey(key).update(1, "customer");
    return customerId;
  }
}
