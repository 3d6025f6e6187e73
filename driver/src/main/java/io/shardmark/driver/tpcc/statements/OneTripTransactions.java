package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.Delivery;
import io.shardmark.driver.tpcc.input.OrderStatus;
import io.shardmark.driver.tpcc.input.StockLevel;
import io.shardmark.loader.tpcc.PopulationUnit;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Order-Status, Stock-Level and Delivery: one statement each, its own transaction, in one round
 * trip.
 */
final class OneTripTransactions {
  static final String BY_ID = "c_id = ?";

  /** The middle one, rounded up, in the order of first names (2.5.2.2). */
  static final String BY_NAME =
      "c_id = (SELECT (array_agg(c_id ORDER BY c_first))[(count(*) + 1) / 2]"
          + " FROM bmsql_customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ?)";

  /**
   * No index leads from a customer to its orders, so the district's orders are met from the newest
   * on until one is the customer's. Without OFFSET 0 the planner would rather read and sort all.
   */
  private static final String ORDER_STATUS =
      "WITH chosen AS MATERIALIZED (SELECT c_id, c_first, c_middle, c_last, c_balance"
          + " FROM bmsql_customer WHERE c_w_id = ? AND c_d_id = ? AND %s)"
          + " SELECT chosen.*, o_id, o_entry_d, o_carrier_id,"
          + " ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d"
          + " FROM chosen CROSS JOIN LATERAL (SELECT o_id, o_entry_d, o_carrier_id"
          + " FROM (SELECT o_id, o_entry_d, o_carrier_id, o_c_id FROM bmsql_oorder"
          + " WHERE o_w_id = ? AND o_d_id = ? ORDER BY o_id DESC OFFSET 0) newest_first"
          + " WHERE o_c_id = chosen.c_id LIMIT 1) last_order"
          + " JOIN bmsql_order_line ON ol_w_id = ? AND ol_d_id = ? AND ol_o_id = o_id"
          + " ORDER BY ol_number";

  private static final String NEXT_ORDER =
      "(SELECT d_next_o_id FROM bmsql_district WHERE d_w_id = ? AND d_id = ?)";

  /**
   * The last 20 orders lie between two values that the planner takes for constants, so it expects
   * few lines. Between two columns of a joined row it expects a ninth of the district's lines, and
   * once there are many of them it reads the warehouse's whole stock.
   */
  static final String COUNT_LOW_STOCK =
      "SELECT count(*) AS low_stock FROM bmsql_stock"
          + " WHERE s_w_id = ? AND s_quantity < ? AND s_i_id IN ("
          + "SELECT ol_i_id FROM bmsql_order_line WHERE ol_w_id = ? AND ol_d_id = ?"
          + (" AND ol_o_id >= " + NEXT_ORDER + " - 20 AND ol_o_id < " + NEXT_ORDER + ")");

  /**
   * The locking sub-select waits for a delivery that is taking the same order, and then, as its
   * LIMIT is above the lock, goes on to the next order of the district. Districts are locked in
   * ascending order by all.
   */
  private static final String DELIVER =
      "WITH oldest AS MATERIALIZED ("
          + "SELECT d.id AS d_id, o.no_o_id AS o_id FROM generate_series(1, 10) AS d(id)"
          + " CROSS JOIN LATERAL (SELECT no_o_id FROM bmsql_new_order"
          + " WHERE no_w_id = ? AND no_d_id = d.id ORDER BY no_o_id LIMIT 1 FOR UPDATE) AS o),"
          + " taken AS (DELETE FROM bmsql_new_order USING oldest"
          + " WHERE no_w_id = ? AND no_d_id = oldest.d_id AND no_o_id = oldest.o_id"
          + " RETURNING no_d_id AS d_id, no_o_id AS o_id),"
          + " carried AS (UPDATE bmsql_oorder SET o_carrier_id = ? FROM taken"
          + " WHERE o_w_id = ? AND o_d_id = taken.d_id AND bmsql_oorder.o_id = taken.o_id"
          + " RETURNING o_d_id, o_c_id),"
          + " delivered AS (UPDATE bmsql_order_line SET ol_delivery_d = localtimestamp FROM taken"
          + " WHERE ol_w_id = ? AND ol_d_id = taken.d_id AND ol_o_id = taken.o_id"
          + " RETURNING ol_d_id, ol_amount),"
          + " owed AS (SELECT ol_d_id, sum(ol_amount) AS amount FROM delivered GROUP BY ol_d_id),"
          + " charged AS (UPDATE bmsql_customer SET c_balance = c_balance + owed.amount,"
          + " c_delivery_cnt = c_delivery_cnt + 1 FROM carried JOIN owed ON ol_d_id = o_d_id"
          + " WHERE c_w_id = ? AND c_d_id = o_d_id AND c_id = o_c_id RETURNING c_balance)"
          // Fails unless every order has its row, its lines with amounts and its customer.
          + " SELECT t.orders, 1 / (t.orders = c.customers)::integer"
          + " FROM (SELECT count(*) AS orders FROM taken) t,"
          + " (SELECT count(c_balance) AS customers FROM charged) c";

  private final Connection connection;
  private final Sql statusById;
  private final Sql statusByName;
  private final Sql countLowStock;
  private final Sql deliver;

  OneTripTransactions(Connection connection) throws SQLException {
    Sql.Preparer sql = Sql.on(connection);
    this.connection = connection;
    statusById = sql.of(ORDER_STATUS.formatted(BY_ID));
    statusByName = sql.of(ORDER_STATUS.formatted(BY_NAME));
    countLowStock = sql.of(COUNT_LOW_STOCK);
    deliver = sql.of(DELIVER);
  }

  Outcome orderStatus(OrderStatus input) throws SQLException {
    connection.setAutoCommit(true);
    int warehouseId = input.warehouseId();
    int districtId = input.districtId();
    String name = input.customerLast();
    Sql statement = name == null ? statusById : statusByName;
    bindCustomer(statement.with(), warehouseId, districtId, input.customerId(), name)
        .and(warehouseId, districtId, warehouseId, districtId);
    try (ResultSet rows = statement.rows()) {
      Rows.requireNext(
          rows,
          "customer " + name + ", or its last order, of",
          warehouseId,
          districtId,
          input.customerId());
      statement.showLines(rows, 9);
    }
    return Outcome.COMMITTED;
  }

  /** Binds the customer's district, and what {@link #BY_ID} or {@link #BY_NAME} asks for. */
  static Sql bindCustomer(
      Sql statement, int warehouseId, int districtId, int customerId, @Nullable String lastName)
      throws SQLException {
    statement.and(warehouseId, districtId);
    return lastName == null
        ? statement.and(customerId)
        : statement.and(warehouseId, districtId, lastName);
  }

  Outcome stockLevel(StockLevel input) throws SQLException {
    connection.setAutoCommit(true);
    int warehouseId = input.warehouseId();
    int districtId = input.districtId();
    countLowStock
        .withKey(warehouseId)
        .and(input.threshold(), warehouseId, districtId)
        .and(warehouseId, districtId, warehouseId, districtId)
        .show("stock of warehouse");
    return Outcome.COMMITTED;
  }

  /** The deferred part of Delivery, for all ten districts. */
  Outcome deliver(Delivery.Background input) throws SQLException {
    connection.setAutoCommit(true);
    int warehouseId = input.warehouseId();
    deliver
        .with(warehouseId, warehouseId, input.carrierId(), warehouseId, warehouseId, warehouseId)
        .run("order, lines or customer of delivery", warehouseId);
    int taken = deliver.next(row -> row.getInt(1), "delivery of warehouse", warehouseId);
    return Outcome.committedSkipping(PopulationUnit.DISTRICTS - taken);
  }
}
