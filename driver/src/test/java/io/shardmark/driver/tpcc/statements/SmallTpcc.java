package io.shardmark.driver.tpcc.statements;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.tpcc.StatementProfile;
import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.TpccTransactions;
import io.shardmark.sql.jdbc.ConnectionSource;
import io.shardmark.sql.script.ScriptLocator;
import io.shardmark.sql.script.ScriptRunner;
import io.shardmark.sql.script.ScriptStep;
import java.io.OutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;

/**
 * The real schema with few rows: 2 warehouses of 10 districts of 10 customers with an order each,
 * of 5 lines; orders 1 to 6 are delivered, 7 to 10 are open. Item i costs i + 0.25; all stock is
 * 50.
 *
 * <p>Customers 1 to 4 are called BARBARBAR and come as 2, 4, 3, 1 by first name; 5 to 7 are
 * OUGHTBARBAR and come as 7, 6, 5. Customer 10 has bad credit.
 */
final class SmallTpcc {
  static final int WAREHOUSES = 2;
  static final int DISTRICTS = 10;
  static final int CUSTOMERS = 10;
  static final int ITEMS = 50;
  static final int OPEN_ORDERS = 4;
  static final int UNUSED_ITEM = 1_000_050;
  static final String FOUR_NAMESAKES = "BARBARBAR";
  static final String THREE_NAMESAKES = "OUGHTBARBAR";
  static final String OLD_DATA = "x".repeat(480);

  private static final String[] LAST_NAMES = {
    FOUR_NAMESAKES,
    FOUR_NAMESAKES,
    FOUR_NAMESAKES,
    FOUR_NAMESAKES,
    THREE_NAMESAKES,
    THREE_NAMESAKES,
    THREE_NAMESAKES,
    "ABLEBARBAR",
    "PRIBARBAR",
    "PRESBARBAR"
  };
  private static final String[] FIRST_NAMES = {
    "dave", "alice", "carol", "bob", "zoe", "yann", "xena", "h", "i", "j"
  };

  /** Children first. */
  private static final List<String> TABLES =
      List.of(
          "order_line",
          "new_order",
          "history",
          "oorder",
          "stock",
          "item",
          "customer",
          "district",
          "warehouse");

  private SmallTpcc() {}

  /** Runs the scripts of a build, but the parts that this database cannot understand. */
  static void create(Connection connection, DatabaseKind kind, List<ScriptStep> steps)
      throws SQLException {
    ScriptLocator locator =
        new ScriptLocator(Path.of("no such directory"), kind, ScriptStep.scripts());
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    for (ScriptStep step : steps) {
      new ScriptRunner(connection, nowhere).run(locator.locate(step));
    }
  }

  /** Empties all tables and writes the rows anew. Commits. */
  static void reset(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      for (String table : TABLES) {
        statement.executeUpdate("DELETE FROM bmsql_" + table);
      }
    }
    Timestamp then = Timestamp.valueOf("2026-01-02 03:04:05");
    insertWarehouses(connection);
    insertItems(connection);
    insertCustomers(connection, then);
    insertOrders(connection, then);
    connection.commit();
  }

  private static void insertWarehouses(Connection connection) throws SQLException {
    try (PreparedStatement warehouse =
            connection.prepareStatement(
                "INSERT INTO bmsql_warehouse VALUES (?, 1000.00, 0.1, ?, 's', 's', 'c', 'st',"
                    + " '123456789')");
        PreparedStatement district =
            connection.prepareStatement(
                "INSERT INTO bmsql_district VALUES (?, ?, 100.00, 0.1, 11, ?, 's', 's', 'c', 'st',"
                    + " '123456789')")) {
      for (int w = 1; w <= WAREHOUSES; w++) {
        warehouse.setInt(1, w);
        warehouse.setString(2, "W" + w);
        warehouse.addBatch();
        for (int d = 1; d <= DISTRICTS; d++) {
          district.setInt(1, w);
          district.setInt(2, d);
          district.setString(3, "D" + w + "-" + d);
          district.addBatch();
        }
      }
      warehouse.executeBatch();
      district.executeBatch();
    }
  }

  private static void insertItems(Connection connection) throws SQLException {
    try (PreparedStatement item =
            connection.prepareStatement("INSERT INTO bmsql_item VALUES (?, ?, ?, 'data', 1)");
        PreparedStatement stock =
            connection.prepareStatement(
                "INSERT INTO bmsql_stock VALUES (?, ?, 50, 0, 0, 0, 'data'"
                    + ", ?".repeat(DISTRICTS)
                    + ")")) {
      for (int i = 1; i <= ITEMS; i++) {
        item.setInt(1, i);
        item.setString(2, "item" + i);
        item.setBigDecimal(3, price(i));
        item.addBatch();
      }
      item.executeBatch();
      for (int key = 0; key < WAREHOUSES * ITEMS; key++) {
        int w = 1 + key / ITEMS;
        int i = 1 + key % ITEMS;
        stock.setInt(1, w);
        stock.setInt(2, i);
        for (int d = 1; d <= DISTRICTS; d++) {
          stock.setString(2 + d, distInfo(w, i, d));
        }
        stock.addBatch();
      }
      stock.executeBatch();
    }
  }

  static BigDecimal price(int itemId) {
    return BigDecimal.valueOf(itemId * 100L + 25, 2);
  }

  /** As long as the column, so that no database pads it. */
  static String distInfo(int warehouseId, int itemId, int districtId) {
    return "supply%02d-item%04d-dis%02d-".formatted(warehouseId, itemId, districtId);
  }

  private static void insertCustomers(Connection connection, Timestamp then) throws SQLException {
    try (PreparedStatement customer =
            connection.prepareStatement(
                "INSERT INTO bmsql_customer VALUES (?, ?, ?, 0.05, ?, ?, ?, 50000.00, -10.00, 10.00,"
                    + " 1, 0, 's', 's', 'c', 'st', '123456789', '0123456789012345', ?, 'OE', ?)");
        PreparedStatement history =
            connection.prepareStatement(
                "INSERT INTO bmsql_history (hist_id, h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id,"
                    + " h_date, h_amount, h_data) VALUES (?, ?, ?, ?, ?, ?, ?, 10.00, 'first')")) {
      int historyId = 0;
      for (int key = 0; key < WAREHOUSES * DISTRICTS * CUSTOMERS; key++) {
        int w = 1 + key / (DISTRICTS * CUSTOMERS);
        int d = 1 + key / CUSTOMERS % DISTRICTS;
        int c = 1 + key % CUSTOMERS;
        customer.setInt(1, w);
        customer.setInt(2, d);
        customer.setInt(3, c);
        customer.setString(4, c == CUSTOMERS ? "BC" : "GC");
        customer.setString(5, LAST_NAMES[c - 1]);
        customer.setString(6, FIRST_NAMES[c - 1]);
        customer.setTimestamp(7, then);
        customer.setString(8, OLD_DATA);
        customer.addBatch();
        history.setInt(1, ++historyId);
        history.setInt(2, c);
        history.setInt(3, d);
        history.setInt(4, w);
        history.setInt(5, d);
        history.setInt(6, w);
        history.setTimestamp(7, then);
        history.addBatch();
      }
      customer.executeBatch();
      history.executeBatch();
    }
  }

  private static void insertOrders(Connection connection, Timestamp then) throws SQLException {
    try (PreparedStatement order =
            connection.prepareStatement(
                "INSERT INTO bmsql_oorder VALUES (?, ?, ?, ?, ?, 5, 1, ?)");
        PreparedStatement open =
            connection.prepareStatement("INSERT INTO bmsql_new_order VALUES (?, ?, ?)");
        PreparedStatement line =
            connection.prepareStatement(
                "INSERT INTO bmsql_order_line VALUES (?, ?, ?, ?, ?, ?, ?, ?, 5,"
                    + " '123456789012345678901234')")) {
      for (int key = 0; key < WAREHOUSES * DISTRICTS * CUSTOMERS; key++) {
        int w = 1 + key / (DISTRICTS * CUSTOMERS);
        int d = 1 + key / CUSTOMERS % DISTRICTS;
        int o = 1 + key % CUSTOMERS;
        boolean delivered = o <= CUSTOMERS - OPEN_ORDERS;
        setKey(order, w, d, o);
        order.setInt(4, customerOf(o));
        order.setObject(5, delivered ? 3 : null, java.sql.Types.INTEGER);
        order.setTimestamp(6, then);
        order.addBatch();
        if (!delivered) {
          setKey(open, w, d, o);
          open.addBatch();
        }
        for (int number = 1; number <= 5; number++) {
          setKey(line, w, d, o);
          line.setInt(4, number);
          line.setInt(5, number);
          line.setTimestamp(6, delivered ? then : null);
          line.setBigDecimal(7, delivered ? BigDecimal.ZERO : openAmount(o, number));
          line.setInt(8, w);
          line.addBatch();
        }
      }
      order.executeBatch();
      open.executeBatch();
      line.executeBatch();
    }
  }

  private static void setKey(PreparedStatement statement, int w, int d, int o) throws SQLException {
    statement.setInt(1, w);
    statement.setInt(2, d);
    statement.setInt(3, o);
  }

  /** Order 7, the oldest open one, is customer 4's. */
  static int customerOf(int orderId) {
    return CUSTOMERS + 1 - orderId;
  }

  /** OL_AMOUNT of an open order's line. */
  static BigDecimal openAmount(int orderId, int number) {
    return BigDecimal.valueOf(orderId * 1000L + number, 2);
  }

  /** All rows in the order of their keys, without times and history numbers. */
  static List<String> content(Connection connection) throws SQLException {
    List<String> content = new ArrayList<>();
    addRows(content, connection, "SELECT w_id, w_ytd FROM bmsql_warehouse ORDER BY 1");
    addRows(
        content,
        connection,
        "SELECT d_w_id, d_id, d_ytd, d_next_o_id FROM bmsql_district ORDER BY 1, 2");
    addRows(
        content,
        connection,
        "SELECT c_w_id, c_d_id, c_id, c_balance, c_ytd_payment, c_payment_cnt, c_delivery_cnt,"
            + " c_data FROM bmsql_customer ORDER BY 1, 2, 3");
    addRows(
        content,
        connection,
        "SELECT h_w_id, h_d_id, h_c_w_id, h_c_d_id, h_c_id, h_amount, h_data FROM bmsql_history"
            + " ORDER BY 1, 2, 3, 4, 5, 6, 7");
    addRows(
        content,
        connection,
        "SELECT no_w_id, no_d_id, no_o_id FROM bmsql_new_order ORDER BY 1, 2, 3");
    addRows(
        content,
        connection,
        "SELECT o_w_id, o_d_id, o_id, o_c_id, o_carrier_id, o_ol_cnt, o_all_local"
            + " FROM bmsql_oorder ORDER BY 1, 2, 3");
    addRows(
        content,
        connection,
        "SELECT ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity,"
            + " ol_amount, ol_dist_info, CASE WHEN ol_delivery_d IS NULL THEN 0 ELSE 1 END"
            + " FROM bmsql_order_line ORDER BY 1, 2, 3, 4");
    addRows(
        content,
        connection,
        "SELECT s_w_id, s_i_id, s_quantity, s_ytd, s_order_cnt, s_remote_cnt FROM bmsql_stock"
            + " ORDER BY 1, 2");
    return content;
  }

  private static void addRows(List<String> to, Connection connection, String sql)
      throws SQLException {
    to.addAll(rows(connection, sql));
  }

  /** Each row as its columns with a blank between them. */
  static List<String> rows(Connection connection, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        StringBuilder row = new StringBuilder();
        for (int column = 1; column <= columns; column++) {
          row.append(column == 1 ? "" : " ").append(text(result, column));
        }
        rows.add(row.toString());
      }
    }
    commit(connection);
    return rows;
  }

  /** Commits, unless the connection does by itself. */
  static void commit(Connection connection) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.commit();
    }
  }

  /** Rolls back what a failed transaction left open, as the terminals' sessions do. */
  static void rollBack(Connection connection) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.rollback();
    }
  }

  private static String text(ResultSet result, int column) throws SQLException {
    // H2 writes Oracle's NUMBER 10 as 1E+1.
    Object value = result.getObject(column);
    return value instanceof BigDecimal number
        ? number.toPlainString()
        : String.valueOf(result.getString(column));
  }

  /** Makes a profile's transactions on a connection. */
  @FunctionalInterface
  interface Preparation {
    TpccTransactions of(StatementProfile profile, Connection connection) throws SQLException;
  }

  /** Runs one sequence of transactions by each profile: all end alike and leave the same rows. */
  static void requireSameResults(
      ConnectionSource source, List<StatementProfile> profiles, Preparation preparation)
      throws SQLException {
    List<List<Outcome>> outcomes = new ArrayList<>();
    List<List<String>> contents = new ArrayList<>();
    for (StatementProfile profile : profiles) {
      try (Connection connection = source.open()) {
        reset(connection);
        TpccTransactions transactions = preparation.of(profile, connection);
        SmallInputs inputs = new SmallInputs(42);
        List<Outcome> outcome = new ArrayList<>();
        for (int transaction = 0; transaction < 300; transaction++) {
          outcome.add(transactions.execute(inputs.next()));
        }
        outcomes.add(outcome);
        contents.add(content(connection));
      }
    }
    assertThat(outcomes.get(0)).contains(Outcome.COMMITTED, Outcome.ROLLED_BACK);
    assertThat(outcomes).hasSameSizeAs(profiles).containsOnly(outcomes.get(0));
    assertThat(contents).containsOnly(contents.get(0));
  }
}
