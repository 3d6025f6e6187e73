package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.WrongDataException;
import io.shardmark.driver.tpcc.input.NewOrder;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * New-Order with one SELECT for all items, one locking SELECT for the stock of each supplying
 * warehouse, and JDBC batches for stock and order lines.
 */
final class BatchedNewOrder {
  private final Connection connection;
  private final InList selectItems;
  private final InList selectStock;
  private final Sql updateDistrict;
  private final Sql selectTerminal;
  private final Sql updateStock;
  private final Sql insertOrder;
  private final Sql insertNewOrder;
  private final Sql insertLine;
  private final Map<Integer, BigDecimal> prices = new HashMap<>();
  private final OrderLines lines = new OrderLines();

  BatchedNewOrder(Connection connection, String forUpdate) throws SQLException {
    Sql.Preparer sql = Sql.on(connection);
    this.connection = connection;
    selectItems =
        new InList(
            connection, "SELECT i_id, i_price, i_name, i_data FROM bmsql_item WHERE i_id IN", "");
    selectStock =
        new InList(
            connection,
            "SELECT s_i_id, s_quantity, s_data, s_dist_01, s_dist_02, s_dist_03, s_dist_04,"
                + " s_dist_05, s_dist_06, s_dist_07, s_dist_08, s_dist_09, s_dist_10"
                + " FROM bmsql_stock WHERE s_w_id = ? AND s_i_id IN",
            " ORDER BY s_i_id" + forUpdate);
    updateDistrict =
        sql.of(
            "UPDATE bmsql_district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = ? AND d_id = ?");
    selectTerminal =
        sql.of(
            "SELECT d_next_o_id - 1, d_tax, w_tax, c_discount, c_last, c_credit"
                + " FROM bmsql_district JOIN bmsql_warehouse ON w_id = d_w_id"
                + " JOIN bmsql_customer ON c_w_id = d_w_id AND c_d_id = d_id"
                + " WHERE d_w_id = ? AND d_id = ? AND c_id = ?");
    updateStock =
        sql.of(
            "UPDATE bmsql_stock SET s_quantity = ?, s_ytd = s_ytd + ?,"
                + " s_order_cnt = s_order_cnt + ?, s_remote_cnt = s_remote_cnt + ?"
                + " WHERE s_w_id = ? AND s_i_id = ?");
    insertOrder =
        sql.of(
            "INSERT INTO bmsql_oorder"
                + " (o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?)");
    insertNewOrder =
        sql.of("INSERT INTO bmsql_new_order (no_w_id, no_d_id, no_o_id) VALUES (?, ?, ?)");
    insertLine =
        sql.of(
            "INSERT INTO bmsql_order_line (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id,"
                + " ol_supply_w_id, ol_quantity, ol_amount, ol_dist_info)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  }

  Outcome execute(NewOrder input) throws SQLException {
    // A transaction that failed half-way leaves its rows in the batches.
    updateStock.clearBatch();
    insertLine.clearBatch();
    lines.clear();
    readItems(input);
    // All orders lock by ascending warehouse, in each the district before its stock: no two can
    // deadlock.
    List<OrderLines.Supply> supplies = OrderLines.supplies(input);
    int taken = 0;
    while (taken < supplies.size() && supplies.get(taken).warehouseId() < input.warehouseId()) {
      takeStock(input, supplies.get(taken++));
    }
    int orderId = takeOrderId(input);
    for (OrderLines.Supply supply : supplies.subList(taken, supplies.size())) {
      takeStock(input, supply);
    }
    if (!lines.areAllFound(input) && !input.rollback()) {
      throw Rows.missing("an item or stock row of order", input.itemIds());
    }
    write(input, orderId);
    if (input.rollback()) {
      // TPC-C 2.4.2.3: all the work but that on the unused item was done.
      connection.rollback();
      return Outcome.ROLLED_BACK;
    }
    connection.commit();
    return Outcome.COMMITTED;
  }

  private void readItems(NewOrder input) throws SQLException {
    prices.clear();
    try (ResultSet rows = selectItems.bind(input.itemIds()).rows()) {
      while (rows.next()) {
        int itemId = rows.getInt(1);
        prices.put(itemId, Rows.requireDecimal(rows, 2, "i_price of item", itemId));
        rows.getString(3);
        rows.getString(4);
      }
    }
  }

  private int takeOrderId(NewOrder input) throws SQLException {
    int warehouseId = input.warehouseId();
    int districtId = input.districtId();
    updateDistrict.withKey(warehouseId, districtId).update(1, "district");
    return selectTerminal
        .withKey(warehouseId, districtId, input.customerId())
        .one(
            row -> Rows.requireInt(row, 1, "d_next_o_id of district", warehouseId, districtId),
            "customer");
  }

  /** Locks the stock rows that a warehouse supplies, and stages their new quantities. */
  private void takeStock(NewOrder input, OrderLines.Supply supply) throws SQLException {
    int supplyWarehouseId = supply.warehouseId();
    try (ResultSet rows = selectStock.bind(supply.itemIds(), supplyWarehouseId).rows()) {
      int entry = 0;
      while (rows.next()) {
        int itemId = rows.getInt(1);
        BigDecimal price = prices.get(itemId);
        if (price == null) {
          throw Rows.missing("item", itemId);
        }
        while (entry < supply.itemIds().length && supply.itemIds()[entry] != itemId) {
          entry++;
        }
        if (entry == supply.itemIds().length) {
          throw new WrongDataException(
              "stock %d/%d was not asked for, or not in its place"
                  .formatted(supplyWarehouseId, itemId));
        }
        rows.getString(3);
        String distInfo =
            Rows.requireString(
                rows, 3 + input.districtId(), "s_dist of stock", supplyWarehouseId, itemId);
        lines.answer(input, supplyWarehouseId, itemId, price, distInfo);
        int inStock = Rows.requireInt(rows, 2, "s_quantity of stock", supplyWarehouseId, itemId);
        stageStock(input, supply, entry, inStock);
      }
    }
  }

  private void stageStock(NewOrder input, OrderLines.Supply supply, int entry, int quantity)
      throws SQLException {
    int lineCount = supply.lineCounts()[entry];
    int taken = supply.quantities()[entry];
    updateStock
        .with(OrderLines.stockAfter(quantity, taken), taken, lineCount)
        .and(supply.warehouseId() == input.warehouseId() ? 0 : lineCount)
        .and(supply.warehouseId(), supply.itemIds()[entry])
        .batch();
  }

  private void write(NewOrder input, int orderId) throws SQLException {
    if (lines.foundCount() > 0) {
      updateStock.runBatch("stock update");
    }
    int warehouseId = input.warehouseId();
    int districtId = input.districtId();
    insertOrder
        .with(warehouseId, districtId, orderId, input.customerId(), Timestamp.from(Instant.now()))
        .and(input.lineCount(), input.remoteLines() == 0 ? 1 : 0)
        .update();
    insertNewOrder.with(warehouseId, districtId, orderId).update();
    for (int line = 0; line < input.lineCount(); line++) {
      if (lines.isFound(line)) {
        lines.bind(insertLine.with(), input, orderId, line).batch();
      }
    }
    if (lines.foundCount() > 0) {
      insertLine.runBatch("order line insert");
    }
  }
}
