package io.shardmark.driver.tpcc.conditions;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A consistent database small enough to be understood: 2 warehouses of 2 districts of 4 customers.
 * Each district has the orders 1 to 7; 1 to 4 are delivered, 5 to 7 are outstanding. Order n
 * belongs to customer (n - 1) % 4 + 1 and has 5 or 6 lines; line l of order n is worth 10n + l +
 * 0.25. Every customer paid 10.00 at the start and customer 1 another 5.50. Written row by row,
 * with statements that every database understands.
 */
final class TinyDatabase {
  static final int WAREHOUSES = 2;
  static final int DISTRICTS = 2;
  static final int CUSTOMERS = 4;
  static final int ORDERS = 7;
  static final int DELIVERED = 4;

  static final String INTO_LINE =
      "INSERT INTO bmsql_order_line (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id,"
          + " ol_delivery_d, ol_amount, ol_supply_w_id, ol_quantity)";

  private static final List<String> TABLES =
      List.of(
          "config (cfg_name varchar(30), cfg_value varchar(50))",
          "warehouse (w_id integer not null, w_ytd decimal(12,2), w_tax decimal(4,4) default 0.1,"
              + texts("w_name w_street_1 w_street_2 w_city w_state w_zip"),
          "district (d_w_id integer not null, d_id integer not null, d_ytd decimal(12,2),"
              + " d_next_o_id integer, d_tax decimal(4,4) default 0.1,"
              + texts("d_name d_street_1 d_street_2 d_city d_state d_zip"),
          "customer (c_w_id integer not null, c_d_id integer not null, c_id integer not null,"
              + " c_balance decimal(12,2), c_ytd_payment decimal(12,2), c_payment_cnt integer,"
              + " c_delivery_cnt integer, c_credit char(2) default 'GC',"
              + " c_discount decimal(4,4) default 0.2, c_credit_lim decimal(12,2) default 50000,"
              + " c_since @now,"
              + texts(
                  "c_first c_middle c_last c_street_1 c_street_2 c_city c_state c_zip c_phone"
                      + " c_data"),
          "history (hist_id integer, h_c_id integer, h_c_d_id integer, h_c_w_id integer,"
              + " h_d_id integer, h_w_id integer, h_amount decimal(6,2), h_date @now,"
              + texts("h_data"),
          "new_order (no_w_id integer not null, no_d_id integer not null,"
              + " no_o_id integer not null)",
          "oorder (o_w_id integer not null, o_d_id integer not null, o_id integer not null,"
              + " o_c_id integer, o_carrier_id integer, o_ol_cnt integer,"
              + " o_all_local integer default 1, o_entry_d @now)",
          "order_line (ol_w_id integer not null, ol_d_id integer not null,"
              + " ol_o_id integer not null, ol_number integer not null, ol_i_id integer not null,"
              + " ol_delivery_d @timestamp, ol_amount decimal(6,2), ol_supply_w_id integer,"
              + " ol_quantity integer,"
              + texts("ol_dist_info"),
          "item (i_id integer not null, i_price decimal(5,2) default 2.5,"
              + " i_im_id integer default 1,"
              + texts("i_name i_data"),
          "stock (s_w_id integer not null, s_i_id integer not null, s_quantity integer,"
              + " s_ytd integer, s_order_cnt integer, s_remote_cnt integer default 0,"
              + texts(
                  "s_data s_dist_01 s_dist_02 s_dist_03 s_dist_04 s_dist_05 s_dist_06 s_dist_07"
                      + " s_dist_08 s_dist_09 s_dist_10"));

  private TinyDatabase() {}

  /** The last columns of a table, each with a text. */
  private static String texts(String columns) {
    return Stream.of(columns.split(" "))
        .map(column -> " " + column + " varchar(30) default 'x'")
        .collect(Collectors.joining(",", "", ")"));
  }

  /**
   * @param timestampType the database's type of a nullable point in time
   */
  static void createTables(Connection connection, String timestampType) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String table : TABLES) {
        statement.execute(
            "CREATE TABLE bmsql_"
                + table
                    .replace("@now", "@timestamp default '2026-01-02 03:04:05'")
                    .replace("@timestamp", timestampType));
      }
    }
  }

  /** Empties all tables and writes the consistent rows. */
  static void reset(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      for (String table : TABLES) {
        statement.execute("DELETE FROM bmsql_" + table.substring(0, table.indexOf(' ')));
      }
      statement.execute("INSERT INTO bmsql_config VALUES ('warehouses', '" + WAREHOUSES + "')");
      statement.execute("INSERT INTO bmsql_item (i_id) VALUES (1)");
      for (int w = 1; w <= WAREHOUSES; w++) {
        insertWarehouse(statement, w);
      }
    }
    connection.commit();
    connection.setAutoCommit(true);
  }

  private static void insertWarehouse(Statement statement, int w) throws SQLException {
    BigDecimal districtYtd = new BigDecimal("45.50");
    statement.execute(
        "INSERT INTO bmsql_warehouse (w_id, w_ytd) VALUES (%d, %s)"
            .formatted(w, districtYtd.multiply(BigDecimal.valueOf(DISTRICTS))));
    statement.execute(
        "INSERT INTO bmsql_stock (s_w_id, s_i_id, s_quantity, s_ytd, s_order_cnt)"
            + " VALUES (%d, 1, 50, 0, 0)".formatted(w));
    for (int d = 1; d <= DISTRICTS; d++) {
      statement.execute(
          "INSERT INTO bmsql_district (d_w_id, d_id, d_ytd, d_next_o_id) VALUES (%d, %d, %s, %d)"
              .formatted(w, d, districtYtd, ORDERS + 1));
      for (int c = 1; c <= CUSTOMERS; c++) {
        insertCustomer(statement, w, d, c);
      }
      for (int o = 1; o <= ORDERS; o++) {
        insertOrder(statement, w, d, o);
      }
    }
  }

  private static void insertCustomer(Statement statement, int w, int d, int c) throws SQLException {
    int payments = c == 1 ? 2 : 1;
    BigDecimal paid = new BigDecimal(c == 1 ? "15.50" : "10.00");
    for (int p = 0; p < payments; p++) {
      statement.execute(
          ("INSERT INTO bmsql_history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_amount)"
                  + " VALUES (%d, %d, %d, %d, %d, %s)")
              .formatted(c, d, w, d, w, p == 0 ? "10.00" : "5.50"));
    }
    BigDecimal delivered = BigDecimal.ZERO;
    for (int o = c; o <= DELIVERED; o += CUSTOMERS) {
      for (int line = 1; line <= lines(o); line++) {
        delivered = delivered.add(amount(o, line));
      }
    }
    statement.execute(
        ("INSERT INTO bmsql_customer (c_w_id, c_d_id, c_id, c_balance, c_ytd_payment,"
                + " c_payment_cnt, c_delivery_cnt) VALUES (%d, %d, %d, %s, %s, %d, 1)")
            .formatted(w, d, c, delivered.subtract(paid), paid, payments));
  }

  private static void insertOrder(Statement statement, int w, int d, int o) throws SQLException {
    boolean delivered = o <= DELIVERED;
    statement.execute(
        ("INSERT INTO bmsql_oorder (o_w_id, o_d_id, o_id, o_c_id, o_carrier_id, o_ol_cnt)"
                + " VALUES (%d, %d, %d, %d, %s, %d)")
            .formatted(w, d, o, (o - 1) % CUSTOMERS + 1, delivered ? "3" : "NULL", lines(o)));
    if (!delivered) {
      statement.execute("INSERT INTO bmsql_new_order VALUES (%d, %d, %d)".formatted(w, d, o));
    }
    for (int line = 1; line <= lines(o); line++) {
      statement.execute(
          (INTO_LINE + " VALUES (%d, %d, %d, %d, 1, %s, %s, %d, 5)")
              .formatted(
                  w,
                  d,
                  o,
                  line,
                  delivered ? "TIMESTAMP '2026-01-02 03:04:05'" : "NULL",
                  amount(o, line),
                  w));
    }
  }

  private static int lines(int order) {
    return 5 + order % 2;
  }

  private static BigDecimal amount(int order, int line) {
    return BigDecimal.valueOf(10L * order + line).add(new BigDecimal("0.25"));
  }
}
