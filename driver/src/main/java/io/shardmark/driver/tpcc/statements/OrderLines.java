package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.tpcc.input.NewOrder;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one order while it is being placed: what the stock rows answered, and the arrays
 * that become order lines. Reused by one connection's New-Orders; lines are addressed by their
 * position on the screen.
 */
final class OrderLines {
  private static final int RESTOCK = 91;
  private static final int MAX_QUANTITY = 100;

  private final @Nullable BigDecimal[] prices = new BigDecimal[NewOrder.MAX_LINES];
  private final @Nullable String[] distInfos = new String[NewOrder.MAX_LINES];
  private int found;

  /**
   * The distinct items that one warehouse supplies, in ascending order, with what is taken of each.
   */
  @SuppressWarnings("ArrayRecordComponent") // bound to a statement at once, never compared
  record Supply(int warehouseId, int[] itemIds, int[] quantities, int[] lineCounts) {
    static Supply none(int warehouseId) {
      return new Supply(warehouseId, new int[0], new int[0], new int[0]);
    }
  }

  void clear() {
    found = 0;
    Arrays.fill(prices, null);
  }

  /**
   * What each warehouse supplies, in the order in which stock rows are locked. An item that is
   * ordered twice is one entry: applying the rule of 2.4.2.2 twice is the same as taking the sum
   * and adding 91 as often as it takes to get back to 10 or more.
   */
  static List<Supply> supplies(NewOrder input) {
    List<Supply> supplies = new ArrayList<>();
    int[] order = input.bySupplyAndItem();
    int from = 0;
    while (from < order.length) {
      int warehouseId = input.supplyWarehouseIds()[order[from]];
      int to = from + 1;
      while (to < order.length && input.supplyWarehouseIds()[order[to]] == warehouseId) {
        to++;
      }
      supplies.add(supply(warehouseId, input, from, to));
      from = to;
    }
    return supplies;
  }

  /** Of the lines at these positions, the last one excluded. */
  private static Supply supply(int warehouseId, NewOrder input, int from, int to) {
    int[] items = new int[to - from];
    int[] quantities = new int[to - from];
    int[] lineCounts = new int[to - from];
    int entries = 0;
    for (int position = from; position < to; position++) {
      int line = input.bySupplyAndItem()[position];
      if (entries == 0 || items[entries - 1] != input.itemIds()[line]) {
        items[entries++] = input.itemIds()[line];
      }
      quantities[entries - 1] += input.quantities()[line];
      lineCounts[entries - 1]++;
    }
    return new Supply(
        warehouseId,
        Arrays.copyOf(items, entries),
        Arrays.copyOf(quantities, entries),
        Arrays.copyOf(lineCounts, entries));
  }

  /**
   * What is in stock after one line or several that order the item, TPC-C 2.4.2.2: 91 are added
   * where fewer than 10 would be left. For several lines it is the same number as line after line,
   * as 10 .. 100 are 91 numbers and each step keeps the remainder.
   *
   * @param quantity what is in stock
   * @param ordered sum of the lines
   */
  static int stockAfter(int quantity, int ordered) {
    int left = quantity - ordered;
    return left + RESTOCK * ((MAX_QUANTITY - left) / RESTOCK);
  }

  /** Takes a stock row's answer for every line that ordered the item from this warehouse. */
  void answer(
      NewOrder input, int supplyWarehouseId, int itemId, BigDecimal price, String distInfo) {
    for (int line = 0; line < input.lineCount(); line++) {
      if (input.itemIds()[line] == itemId
          && input.supplyWarehouseIds()[line] == supplyWarehouseId) {
        prices[line] = price;
        distInfos[line] = distInfo;
        found++;
      }
    }
  }

  boolean areAllFound(NewOrder input) {
    return found == input.lineCount();
  }

  /** How many lines have an answer. */
  int foundCount() {
    return found;
  }

  /** True if the stock row of this line has answered. */
  boolean isFound(int line) {
    return prices[line] != null;
  }

  /** OL_AMOUNT of a line whose stock row has answered. */
  BigDecimal amount(NewOrder input, int line) {
    return answered(prices[line], line).multiply(BigDecimal.valueOf(input.quantities()[line]));
  }

  /** OL_DIST_INFO of a line whose stock row has answered. */
  String distInfo(int line) {
    return answered(distInfos[line], line);
  }

  /** Binds a row of bmsql_order_line, from OL_W_ID to OL_DIST_INFO. */
  Sql bind(Sql insert, NewOrder input, int orderId, int line) throws SQLException {
    return insert
        .and(input.warehouseId(), input.districtId(), orderId, line + 1, input.itemIds()[line])
        .and(input.supplyWarehouseIds()[line], input.quantities()[line])
        .and(amount(input, line), distInfo(line));
  }

  private static <T> T answered(@Nullable T value, int line) {
    if (value == null) {
      throw new IllegalStateException("line " + line + " has no answer");
    }
    return value;
  }
}
