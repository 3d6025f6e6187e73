package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.NewOrder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;

/**
 * New-Order in two round trips. First: take the order number, read the customer, update and read
 * the home warehouse's stock. Then: insert the order and commit. Each remote supplying warehouse
 * adds a round trip for its stock.
 */
final class PipelinedNewOrder {
  /**
   * The join with the items drops the unused item of 2.4.1.4, which the client sees from the
   * missing row. Rows are met in the order of the arrays, sorted by item, so that two orders do not
   * lock the same rows in opposite order.
   */
  private static final String UPDATE_STOCK =
      "UPDATE bmsql_stock SET"
          + " s_quantity = s_quantity - l.quantity"
          + " + 91 * ((100 - s_quantity + l.quantity) / 91),"
          + " s_ytd = s_ytd + l.quantity, s_order_cnt = s_order_cnt + l.line_count,"
          + " s_remote_cnt = s_remote_cnt + CASE WHEN ? THEN l.line_count ELSE 0 END"
          + " FROM unnest(?::integer[], ?::integer[], ?::integer[])"
          + " AS l(item_id, quantity, line_count)"
          + " JOIN bmsql_item ON i_id = l.item_id"
          + " WHERE s_w_id = ? AND s_i_id = l.item_id"
          + " RETURNING s_i_id, i_price, i_name, i_data, s_quantity, s_data,"
          + " CASE ?::integer WHEN 1 THEN s_dist_01 WHEN 2 THEN s_dist_02 WHEN 3 THEN s_dist_03"
          + " WHEN 4 THEN s_dist_04 WHEN 5 THEN s_dist_05 WHEN 6 THEN s_dist_06"
          + " WHEN 7 THEN s_dist_07 WHEN 8 THEN s_dist_08 WHEN 9 THEN s_dist_09"
          + " ELSE s_dist_10 END";

  private final Connection connection;
  private final PGConnection postgres;
  private final Sql takeOrder;
  private final Sql updateRemoteStock;
  private final OrderInsert insert;
  private final OrderLines lines = new OrderLines();

  PipelinedNewOrder(Connection connection, OrderInsert insert) throws SQLException {
    this.connection = connection;
    postgres = connection.unwrap(PGConnection.class);
    takeOrder =
        new Sql(
            connection,
            "UPDATE bmsql_district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = ? AND d_id = ?"
                + " RETURNING d_next_o_id - 1, d_tax;"
                + "SELECT c_discount, c_last, c_credit, w_tax FROM bmsql_customer"
                + " JOIN bmsql_warehouse ON w_id = c_w_id"
                + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?;"
                + UPDATE_STOCK);
    updateRemoteStock = new Sql(connection, UPDATE_STOCK);
    this.insert = insert;
  }

  Outcome execute(NewOrder input) throws SQLException {
    connection.setAutoCommit(false);
    lines.clear();
    // All orders lock by ascending warehouse, in each the district before its stock: no two can
    // deadlock.
    OrderLines.Supply home = OrderLines.Supply.none(input.warehouseId());
    List<OrderLines.Supply> later = new ArrayList<>();
    for (OrderLines.Supply supply : OrderLines.supplies(input)) {
      if (supply.warehouseId() < input.warehouseId()) {
        updateRemoteStock(input, supply);
      } else if (supply.warehouseId() == input.warehouseId()) {
        home = supply;
      } else {
        later.add(supply);
      }
    }
    int orderId = takeOrder(input, home);
    for (OrderLines.Supply supply : later) {
      updateRemoteStock(input, supply);
    }
    if (!lines.areAllFound(input) && !input.rollback()) {
      throw Rows.missing("an item or stock row of order", input.itemIds());
    }
    // TPC-C 2.4.2.3: before a rollback all the work but that on the unused item is done.
    insert.execute(input, orderId, lines);
    return input.rollback() ? Outcome.ROLLED_BACK : Outcome.COMMITTED;
  }

  private int takeOrder(NewOrder input, OrderLines.Supply home) throws SQLException {
    int warehouseId = input.warehouseId();
    int districtId = input.districtId();
    takeOrder.with(warehouseId, districtId, warehouseId, districtId, input.customerId());
    bindStock(takeOrder, input, home).run();
    int orderId =
        takeOrder.next(
            row -> Rows.requireInt(row, 1, "d_next_o_id of district", warehouseId, districtId),
            "district",
            warehouseId,
            districtId);
    takeOrder.showNext("customer", warehouseId, districtId, input.customerId());
    try (ResultSet stock = takeOrder.next()) {
      readStock(stock, input, warehouseId);
    }
    return orderId;
  }

  private void updateRemoteStock(NewOrder input, OrderLines.Supply supply) throws SQLException {
    try (ResultSet stock = bindStock(updateRemoteStock.with(), input, supply).rows()) {
      readStock(stock, input, supply.warehouseId());
    }
  }

  private Sql bindStock(Sql statement, NewOrder input, OrderLines.Supply supply)
      throws SQLException {
    return statement
        .and(supply.warehouseId() != input.warehouseId())
        .and(postgres.createArrayOf("int4", supply.itemIds()))
        .and(postgres.createArrayOf("int4", supply.quantities()))
        .and(postgres.createArrayOf("int4", supply.lineCounts()))
        .and(supply.warehouseId(), input.districtId());
  }

  private void readStock(ResultSet stock, NewOrder input, int supplyWarehouseId)
      throws SQLException {
    while (stock.next()) {
      stock.getString(3);
      stock.getString(4);
      int itemId = stock.getInt(1);
      Rows.requireInt(stock, 5, "s_quantity of stock", supplyWarehouseId, itemId);
      stock.getString(6);
      lines.answer(
          input,
          supplyWarehouseId,
          itemId,
          Rows.requireDecimal(stock, 2, "i_price of item", itemId),
          Rows.requireString(stock, 7, "s_dist of stock", supplyWarehouseId, itemId));
    }
  }
}
