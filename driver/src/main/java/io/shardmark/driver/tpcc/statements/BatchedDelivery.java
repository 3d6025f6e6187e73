package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.WrongDataException;
import io.shardmark.driver.tpcc.input.Delivery;
import io.shardmark.loader.tpcc.PopulationUnit;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The deferred part of Delivery: each statement serves all ten districts. The key of a district's
 * order is {@code (d = 1 AND o = ?) OR (d = 2 AND o = ?) ...}, which every database reads by its
 * index; a district without an order is given one that does not exist.
 */
final class BatchedDelivery {
  private static final int DISTRICTS = PopulationUnit.DISTRICTS;
  private static final int NO_ORDER = -1;

  private final Connection connection;
  private final Sql selectOldest;
  private final Sql lockOldest;
  private final Sql deleteOldest;
  private final Sql updateOrders;
  private final Sql updateLines;
  private final Sql sumLines;
  private final Sql updateCustomers;

  /** Order of each district, at district - 1; {@link #NO_ORDER} if it has none. */
  private final int[] orderIds = new int[DISTRICTS];

  private final int[] customerIds = new int[DISTRICTS];
  private final BigDecimal[] amounts = new BigDecimal[DISTRICTS];

  BatchedDelivery(Connection connection, String forUpdate) throws SQLException {
    Sql.Preparer sql = Sql.on(connection);
    this.connection = connection;
    selectOldest =
        sql.of(
            "SELECT "
                + perDistrict(
                    "(SELECT min(no_o_id) FROM bmsql_new_order WHERE no_w_id = ? AND no_d_id = %d)",
                    ", ")
                + " FROM bmsql_warehouse WHERE w_id = ?");
    String newOrders = " FROM bmsql_new_order WHERE no_w_id = ?" + keys("no_d_id", "no_o_id");
    lockOldest = sql.of("SELECT no_d_id, no_o_id" + newOrders + forUpdate);
    deleteOldest = sql.of("DELETE" + newOrders);
    updateOrders =
        sql.of(
            "UPDATE bmsql_oorder SET o_carrier_id = ? WHERE o_w_id = ?" + keys("o_d_id", "o_id"));
    updateLines =
        sql.of(
            "UPDATE bmsql_order_line SET ol_delivery_d = ? WHERE ol_w_id = ?"
                + keys("ol_d_id", "ol_o_id"));
    sumLines =
        sql.of(
            "SELECT o_d_id, o_c_id, sum(ol_amount) FROM bmsql_oorder JOIN bmsql_order_line"
                + " ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id WHERE o_w_id = ?"
                + keys("o_d_id", "o_id")
                + " GROUP BY o_d_id, o_c_id");
    updateCustomers =
        sql.of(
            "UPDATE bmsql_customer SET c_delivery_cnt = c_delivery_cnt + 1,"
                // The cast gives Firebird the type of the parameters.
                + " c_balance = c_balance + CASE c_d_id "
                + perDistrict("WHEN %d THEN CAST(? AS DECIMAL(12,2))", " ")
                + " END WHERE c_w_id = ?"
                + keys("c_d_id", "c_id"));
  }

  private static String keys(String districtColumn, String idColumn) {
    return " AND ("
        + perDistrict("(" + districtColumn + " = %d AND " + idColumn + " = ?)", " OR ")
        + ")";
  }

  private static String perDistrict(String text, String separator) {
    return IntStream.rangeClosed(1, DISTRICTS)
        .mapToObj(text::formatted)
        .collect(Collectors.joining(separator));
  }

  Outcome execute(Delivery.Background input) throws SQLException {
    int warehouseId = input.warehouseId();
    int taken = lockOldestOrders(warehouseId);
    if (taken > 0) {
      bindKeys(deleteOldest.with(), warehouseId, orderIds).update(taken, "new orders");
      bindKeys(updateOrders.with(input.carrierId()), warehouseId, orderIds).update(taken, "orders");
      bindKeys(updateLines.with(Timestamp.from(Instant.now())), warehouseId, orderIds).update();
      Rows.requireCount(taken, readAmounts(warehouseId), "orders with lines", warehouseId);
      bindKeys(updateCustomers.with((Object[]) amounts), warehouseId, customerIds)
          .update(taken, "customers");
    }
    connection.commit();
    return Outcome.committedSkipping(DISTRICTS - taken);
  }

  /**
   * Fills {@link #orderIds}. Where another delivery takes an order between the two SELECTs, the
   * next one is looked for.
   *
   * @return how many districts have an order
   */
  private int lockOldestOrders(int warehouseId) throws SQLException {
    Arrays.fill(orderIds, NO_ORDER);
    int[] wanted = new int[DISTRICTS];
    int[] before = new int[DISTRICTS];
    int taken = 0;
    while (true) {
      readOldest(warehouseId, wanted);
      int missing = 0;
      for (int index = 0; index < DISTRICTS; index++) {
        if (orderIds[index] != NO_ORDER) {
          wanted[index] = NO_ORDER;
        } else if (wanted[index] != NO_ORDER) {
          missing++;
          refuseSame(warehouseId, index + 1, before[index], wanted[index]);
        }
        before[index] = wanted[index];
      }
      if (missing == 0) {
        return taken;
      }
      taken += lock(warehouseId, wanted);
    }
  }

  /**
   * An order that is gone and is still read comes from a snapshot that will never show its
   * successor.
   */
  private static void refuseSame(int warehouseId, int districtId, int before, int wanted)
      throws SQLException {
    if (before == wanted) {
      throw Rows.takenMeanwhile(warehouseId, districtId, wanted);
    }
  }

  private void readOldest(int warehouseId, int[] wanted) throws SQLException {
    selectOldest.with();
    for (int parameter = 1; parameter <= DISTRICTS + 1; parameter++) {
      selectOldest.and(warehouseId);
    }
    try (ResultSet row = selectOldest.rows()) {
      Rows.requireNext(row, "warehouse", warehouseId);
      for (int index = 0; index < DISTRICTS; index++) {
        int orderId = row.getInt(index + 1);
        wanted[index] = row.wasNull() ? NO_ORDER : orderId;
      }
    }
  }

  private int lock(int warehouseId, int[] wanted) throws SQLException {
    int locked = 0;
    try (ResultSet rows = bindKeys(lockOldest.with(), warehouseId, wanted).rows()) {
      while (rows.next()) {
        orderIds[districtIndex(rows)] = rows.getInt(2);
        locked++;
      }
    }
    return locked;
  }

  private int readAmounts(int warehouseId) throws SQLException {
    Arrays.fill(customerIds, NO_ORDER);
    Arrays.fill(amounts, BigDecimal.ZERO);
    int orders = 0;
    try (ResultSet rows = bindKeys(sumLines.with(), warehouseId, orderIds).rows()) {
      while (rows.next()) {
        int index = districtIndex(rows);
        customerIds[index] =
            Rows.requireInt(rows, 2, "o_c_id of order", warehouseId, index + 1, orderIds[index]);
        amounts[index] =
            Rows.requireDecimal(
                rows, 3, "sum of ol_amount of order", warehouseId, index + 1, orderIds[index]);
        orders++;
      }
    }
    return orders;
  }

  /** Of the district in the first column. */
  private static int districtIndex(ResultSet row) throws SQLException {
    int districtId = row.getInt(1);
    if (districtId < 1 || districtId > DISTRICTS) {
      throw new WrongDataException("district " + districtId + " was not asked for");
    }
    return districtId - 1;
  }

  private static Sql bindKeys(Sql statement, int warehouseId, int[] ids) throws SQLException {
    statement.andKey(warehouseId);
    for (int id : ids) {
      statement.and(id);
    }
    return statement;
  }
}
