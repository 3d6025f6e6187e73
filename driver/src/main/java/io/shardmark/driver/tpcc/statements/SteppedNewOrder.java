package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.NewOrder;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * New-Order in BenchmarkSQL's steps: item and stock of each line read one by one, then two batches.
 */
final class SteppedNewOrder {
  private final Connection connection;
  private final Sql selectDistrict;
  private final Sql selectCustomer;
  private final Sql updateDistrict;
  private final Sql insertOrder;
  private final Sql insertNewOrder;
  private final Sql selectItem;
  private final Sql selectStock;
  private final Sql updateStock;
  private final Sql insertLine;
  private final int[] newQuantities = new int[NewOrder.MAX_LINES];

  SteppedNewOrder(Connection connection, String forUpdate) throws SQLException {
    Sql.Preparer sql = Sql.on(connection);
    this.connection = connection;
    selectDistrict =
        sql.of(
            "SELECT d_tax, d_next_o_id FROM bmsql_district WHERE d_w_id = ? AND d_id = ?"
                + forUpdate);
    selectCustomer =
        sql.of(
            "SELECT c_discount, c_last, c_credit, w_tax FROM bmsql_customer"
                + " JOIN bmsql_warehouse ON (w_id = c_w_id)"
                + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");
    updateDistrict =
        sql.of(
            "UPDATE bmsql_district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = ? AND d_id = ?");
    insertOrder =
        sql.of(
            "INSERT INTO bmsql_oorder (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?)");
    insertNewOrder =
        sql.of("INSERT INTO bmsql_new_order (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?)");
    selectItem = sql.of("SELECT i_price, i_name, i_data FROM bmsql_item WHERE i_id = ?");
    selectStock =
        sql.of(
            "SELECT s_quantity, s_data, s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05,"
                + " s_dist_06, s_dist_07, s_dist_08, s_dist_09, s_dist_10"
                + " FROM bmsql_stock WHERE s_w_id = ? AND s_i_id = ?"
                + forUpdate);
    updateStock =
        sql.of(
            "UPDATE bmsql_stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1,"
                + " s_remote_cnt = s_remote_cnt + ? WHERE s_w_id = ? AND s_i_id = ?");
    insertLine =
        sql.of(
            "INSERT INTO bmsql_order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id,"
                + " ol_supply_w_id, ol_quantity, ol_amount, ol_dist_info)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  }

  Outcome execute(NewOrder input) throws SQLException {
    // A transaction that failed between two lines leaves its lines in the batches.
    updateStock.clearBatch();
    insertLine.clearBatch();
    int orderId = takeOrderId(input);
    boolean allItemsFound = true;
    int staged = 0;
    for (int position = 0; position < input.lineCount() && allItemsFound; position++) {
      allItemsFound = stageLine(input, orderId, position);
      staged += allItemsFound ? 1 : 0;
    }
    if (staged > 0) {
      updateStock.runBatch("stock update");
      insertLine.runBatch("order line insert");
    }
    if (!allItemsFound) {
      connection.rollback();
      return Outcome.ROLLED_BACK;
    }
    connection.commit();
    return Outcome.COMMITTED;
  }

  private int takeOrderId(NewOrder input) throws SQLException {
    int warehouseId = input.warehouseId();
    int districtId = input.districtId();
    int orderId =
        selectDistrict
            .withKey(warehouseId, districtId)
            .oneInt(2, "d_next_o_id of district", "district");
    // What the terminal's screen shows of the customer (2.4.3.3).
    selectCustomer.withKey(warehouseId, districtId, input.customerId()).show("customer");
    updateDistrict.withKey(warehouseId, districtId).update(1, "district");
    insertOrder
        .with(orderId, districtId, warehouseId, input.customerId())
        .and(LocalDateTime.now(ZoneId.systemDefault()))
        .and(input.lineCount(), input.remoteLines() == 0 ? 1 : 0)
        .update();
    insertNewOrder.with(orderId, districtId, warehouseId).update();
    return orderId;
  }

  /**
   * Reads item and stock of the line that is at a position of the locking order, and adds its
   * changes to the batches.
   *
   * @return false if the item is the unused one that rolls the order back (2.4.2.3)
   */
  private boolean stageLine(NewOrder input, int orderId, int position) throws SQLException {
    int line = input.bySupplyAndItem()[position];
    int itemId = input.itemIds()[line];
    int quantity = input.quantities()[line];
    int supplyWarehouseId = input.supplyWarehouseIds()[line];
    BigDecimal price;
    try (ResultSet item = selectItem.withKey(itemId).rows()) {
      if (!item.next()) {
        if (input.rollback()) {
          return false;
        }
        throw Rows.missing("item", itemId);
      }
      selectItem.show(item);
      price = Rows.requireDecimal(item, 1, "i_price of item", itemId);
    }
    int[] key = {supplyWarehouseId, itemId};
    String distInfo;
    try (ResultSet stock = selectStock.withKey(key).rows()) {
      Rows.requireNext(stock, "stock", key);
      int inStock = Rows.requireInt(stock, 1, "s_quantity of stock", key);
      newQuantities[position] =
          OrderLines.stockAfter(stockLeft(input, position, inStock), quantity);
      stock.getString(2);
      distInfo = Rows.requireString(stock, 2 + input.districtId(), "s_dist of stock", key);
    }
    updateStock
        .with(newQuantities[position], quantity)
        .and(supplyWarehouseId == input.warehouseId() ? 0 : 1, supplyWarehouseId, itemId)
        .batch();
    insertLine
        .with(orderId, input.districtId(), input.warehouseId(), line + 1, itemId)
        .and(supplyWarehouseId, quantity, price.multiply(BigDecimal.valueOf(quantity)), distInfo)
        .batch();
    return true;
  }

  /**
   * An order may name an item twice; the rows of the database do not know yet of the batched update
   * of the line before.
   */
  private int stockLeft(NewOrder input, int position, int readQuantity) {
    if (position == 0) {
      return readQuantity;
    }
    int line = input.bySupplyAndItem()[position];
    int before = input.bySupplyAndItem()[position - 1];
    boolean same =
        input.itemIds()[line] == input.itemIds()[before]
            && input.supplyWarehouseIds()[line] == input.supplyWarehouseIds()[before];
    return same ? newQuantities[position - 1] : readQuantity;
  }
}
