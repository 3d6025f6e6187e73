package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.OrderStatus;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Order-Status in two SELECTs. */
final class BatchedOrderStatus {
  private static final String CUSTOMER =
      "SELECT c_id, c_first, c_middle, c_last, c_balance FROM bmsql_customer"
          + " WHERE c_w_id = ? AND c_d_id = ? AND ";

  private final Connection connection;
  private final Sql selectById;
  private final Sql selectByName;
  private final Sql selectLastOrder;
  private final List<Integer> namesakes = new ArrayList<>();

  BatchedOrderStatus(Connection connection) throws SQLException {
    Sql.Preparer sql = Sql.on(connection);
    this.connection = connection;
    selectById = sql.of(CUSTOMER + "c_id = ?");
    selectByName = sql.of(CUSTOMER + "c_last = ? ORDER BY c_first");
    selectLastOrder =
        sql.of(
            "SELECT o_id, o_entry_d, o_carrier_id, ol_i_id, ol_supply_w_id, ol_quantity,"
                + " ol_amount, ol_delivery_d FROM bmsql_oorder JOIN bmsql_order_line"
                + " ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id"
                + " WHERE o_w_id = ? AND o_d_id = ? AND o_id = (SELECT max(o_id)"
                + " FROM bmsql_oorder WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ?)"
                + " ORDER BY ol_number");
  }

  Outcome execute(OrderStatus input) throws SQLException {
    readLastOrder(input, readCustomer(input));
    connection.commit();
    return Outcome.COMMITTED;
  }

  /**
   * Reads what the screen shows of the customer, or of all namesakes, the middle one of whom is
   * meant.
   */
  private int readCustomer(OrderStatus input) throws SQLException {
    String name = input.customerLast();
    Sql select = name == null ? selectById : selectByName;
    select
        .with(input.warehouseId(), input.districtId())
        .and(name == null ? input.customerId() : name);
    namesakes.clear();
    try (ResultSet rows = select.rows()) {
      while (rows.next()) {
        select.show(rows);
        namesakes.add(rows.getInt(1));
      }
    }
    if (namesakes.isEmpty()) {
      throw Rows.missing(
          "customer " + name + " of", input.warehouseId(), input.districtId(), input.customerId());
    }
    return namesakes.get((namesakes.size() - 1) / 2);
  }

  private void readLastOrder(OrderStatus input, int customerId) throws SQLException {
    int warehouseId = input.warehouseId();
    int districtId = input.districtId();
    selectLastOrder.with(warehouseId, districtId, warehouseId, districtId, customerId);
    try (ResultSet rows = selectLastOrder.rows()) {
      Rows.requireNext(rows, "last order of customer", warehouseId, districtId, customerId);
      selectLastOrder.showLines(rows, 4);
    }
  }
}
