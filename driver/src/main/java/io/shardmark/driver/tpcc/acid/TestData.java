package io.shardmark.driver.tpcc.acid;

import io.shardmark.driver.tpcc.input.NewOrder;
import io.shardmark.driver.tpcc.input.Payment;
import io.shardmark.driver.tpcc.input.WarehouseShards;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The rows that the tests work on, and what is in them now: a district of the first warehouse, one
 * of its customers, two items. Reads on a connection in auto-commit mode.
 */
final class TestData {
  static final int WAREHOUSE = 1;

  private static final int DISTRICTS = 10;
  private static final int CUSTOMERS = 3000;
  private static final int ITEMS = 100_000;

  /** The items after it are on every order: TPC-C locks in the order of items, theirs last. */
  private static final int LAST_ITEM = ITEMS - 2;

  /** The lines of the items that a test looks at. */
  private static final int LINES = 3;

  private static final BigDecimal PAID = new BigDecimal("12.34");

  /** The orders of a customer that are not delivered (TPC-C 3.3.2.5). */
  private static final String OPEN_ORDERS =
      " WHERE o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id AND o_carrier_id IS NULL)";

  /** Deliver all that is open in one district, as so many Deliveries would: TPC-C 2.7.4.2. */
  private static final List<String> DELIVERY =
      List.of(
          "UPDATE bmsql_customer SET c_balance = c_balance + (SELECT sum(ol_amount)"
              + " FROM bmsql_oorder JOIN bmsql_order_line"
              + " ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id"
              + OPEN_ORDERS
              + ", c_delivery_cnt = c_delivery_cnt + (SELECT count(*) FROM bmsql_oorder"
              + OPEN_ORDERS
              + " WHERE c_w_id = ? AND c_d_id = ? AND EXISTS (SELECT 1 FROM bmsql_oorder"
              + OPEN_ORDERS,
          "UPDATE bmsql_order_line SET ol_delivery_d = CURRENT_TIMESTAMP"
              + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_delivery_d IS NULL",
          "UPDATE bmsql_oorder SET o_carrier_id = 1"
              + " WHERE o_w_id = ? AND o_d_id = ? AND o_carrier_id IS NULL",
          "DELETE FROM bmsql_new_order WHERE no_w_id = ? AND no_d_id = ?");

  private final Connection connection;
  private final int warehouses;
  final int district;
  final int customer;
  final int lowItem;
  final int highItem;

  TestData(Connection connection, RandomGenerator random) throws SQLException {
    this.connection = connection;
    warehouses = number("SELECT count(*) FROM bmsql_warehouse").intValue();
    district = random.nextInt(1, DISTRICTS + 1);
    customer = random.nextInt(1, CUSTOMERS + 1);
    lowItem = random.nextInt(1, LAST_ITEM);
    highItem = random.nextInt(lowItem + 1, LAST_ITEM + 1);
  }

  /**
   * An order of the customer, of five lines (TPC-C 2.4.1.3). Its last line comes from the last
   * warehouse, which is on another shard where there are several.
   */
  NewOrder order() {
    return order(
        WAREHOUSE,
        district,
        customer,
        new int[] {lowItem, lowItem, highItem, ITEMS - 1, ITEMS},
        warehouses);
  }

  /**
   * @param items of its lines, one piece each
   * @param lastSupplier of the last line; the others come from the home warehouse
   */
  static NewOrder order(int warehouse, int district, int customer, int[] items, int lastSupplier) {
    int[] suppliers = new int[items.length];
    int[] quantities = new int[items.length];
    Arrays.fill(suppliers, warehouse);
    Arrays.fill(quantities, 1);
    suppliers[items.length - 1] = lastSupplier;
    return NewOrder.of(
        warehouse,
        district,
        customer,
        items,
        suppliers,
        quantities,
        false,
        WarehouseShards.UNKNOWN);
  }

  /** A payment by a customer of the last warehouse, through the first. */
  Payment remotePayment() {
    return payment(warehouses, customer);
  }

  /** A payment by a customer of the first warehouse. */
  Payment payment(int ofCustomer) {
    return payment(WAREHOUSE, ofCustomer);
  }

  private Payment payment(int customerWarehouse, int ofCustomer) {
    return new Payment(
        WAREHOUSE,
        district,
        customerWarehouse,
        district,
        ofCustomer,
        null,
        PAID,
        customerWarehouse != WAREHOUSE);
  }

  /** What a payment changes: balance, the district's and the warehouse's year to date. */
  List<BigDecimal> paid() throws SQLException {
    return List.of(
        balance(warehouses, customer),
        number(
            "SELECT d_ytd FROM bmsql_district WHERE d_w_id = ? AND d_id = ?", WAREHOUSE, district),
        number("SELECT w_ytd FROM bmsql_warehouse WHERE w_id = ?", WAREHOUSE));
  }

  /** The same after one more payment. */
  List<BigDecimal> paidAfter(List<BigDecimal> before) {
    return List.of(before.get(0).subtract(PAID), before.get(1).add(PAID), before.get(2).add(PAID));
  }

  static BigDecimal amountPaid() {
    return PAID;
  }

  BigDecimal balance(int ofCustomer) throws SQLException {
    return balance(WAREHOUSE, ofCustomer);
  }

  private BigDecimal balance(int warehouse, int ofCustomer) throws SQLException {
    return number(
        "SELECT c_balance FROM bmsql_customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
        warehouse,
        district,
        ofCustomer);
  }

  int nextOrder() throws SQLException {
    return number(
            "SELECT d_next_o_id FROM bmsql_district WHERE d_w_id = ? AND d_id = ?",
            WAREHOUSE,
            district)
        .intValue();
  }

  int lastOrderOfCustomer() throws SQLException {
    return number(
            "SELECT max(o_id) FROM bmsql_oorder WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ?",
            WAREHOUSE,
            district,
            customer)
        .intValue();
  }

  /** The oldest order of the district that is not delivered; empty without one. */
  Optional<Integer> oldestOpenOrder() throws SQLException {
    int order =
        number(
                "SELECT min(no_o_id) FROM bmsql_new_order WHERE no_w_id = ? AND no_d_id = ?",
                WAREHOUSE,
                district)
            .intValue();
    return order == 0 ? Optional.empty() : Optional.of(order);
  }

  int customerOf(int order) throws SQLException {
    return number(
            "SELECT o_c_id FROM bmsql_oorder WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?",
            WAREHOUSE,
            district,
            order)
        .intValue();
  }

  BigDecimal amountOf(int order) throws SQLException {
    return number(
        "SELECT sum(ol_amount) FROM bmsql_order_line"
            + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?",
        WAREHOUSE,
        district,
        order);
  }

  /** The prices of the two items. */
  List<BigDecimal> prices() throws SQLException {
    return List.of(price(lowItem), price(highItem));
  }

  private BigDecimal price(int item) throws SQLException {
    return number("SELECT i_price FROM bmsql_item WHERE i_id = ?", item);
  }

  /** The amounts of an order's first three lines. */
  List<BigDecimal> amounts(int order) throws SQLException {
    List<BigDecimal> amounts = new ArrayList<>();
    try (PreparedStatement statement =
            prepare(
                "SELECT ol_amount FROM bmsql_order_line"
                    + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ? ORDER BY ol_number",
                WAREHOUSE,
                district,
                order);
        ResultSet rows = statement.executeQuery()) {
      while (amounts.size() < LINES && rows.next()) {
        amounts.add(rows.getBigDecimal(1));
      }
    }
    return amounts;
  }

  /** Puts the amounts of an order's first lines right. */
  void setAmounts(Connection within, int order, List<BigDecimal> amounts) throws SQLException {
    try (PreparedStatement update =
        within.prepareStatement(
            "UPDATE bmsql_order_line SET ol_amount = ?"
                + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ? AND ol_number = ?")) {
      for (int line = 1; line <= amounts.size(); line++) {
        update.setBigDecimal(1, amounts.get(line - 1));
        update.setInt(2, WAREHOUSE);
        update.setInt(3, district);
        update.setInt(4, order);
        update.setInt(5, line);
        update.executeUpdate();
      }
    }
  }

  /** Whether the amounts are; their scales do not count. */
  static boolean areEqual(List<BigDecimal> some, List<BigDecimal> others) {
    boolean equal = some.size() == others.size();
    for (int i = 0; equal && i < some.size(); i++) {
      equal = some.get(i).compareTo(others.get(i)) == 0;
    }
    return equal;
  }

  /** How often an order is there with all of its lines: 1 if nothing went wrong. */
  int timesWhole(List<Integer> key) throws SQLException {
    return number(
            "SELECT count(*) FROM bmsql_oorder WHERE o_id = ? AND o_d_id = ? AND o_w_id = ?"
                + " AND o_ol_cnt = (SELECT count(*) FROM bmsql_order_line"
                + " WHERE ol_o_id = ? AND ol_d_id = ? AND ol_w_id = ?)",
            key.get(0),
            key.get(1),
            key.get(2),
            key.get(0),
            key.get(1),
            key.get(2))
        .intValue();
  }

  private BigDecimal number(String query, int... key) throws SQLException {
    try (PreparedStatement statement = prepare(query, key);
        ResultSet row = statement.executeQuery()) {
      BigDecimal value = row.next() ? row.getBigDecimal(1) : null;
      return value == null ? BigDecimal.ZERO : value;
    }
  }

  private PreparedStatement prepare(String query, int... key) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(query);
    for (int i = 0; i < key.length; i++) {
      statement.setInt(i + 1, key[i]);
    }
    return statement;
  }

  /** Delivers all that is open in the district. */
  void deliverAll(Connection within) throws SQLException {
    for (String text : DELIVERY) {
      try (PreparedStatement statement = within.prepareStatement(text)) {
        statement.setInt(1, WAREHOUSE);
        statement.setInt(2, district);
        statement.executeUpdate();
      }
    }
  }
}
