package io.shardmark.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.sql.TestPostgres;
import io.shardmark.sql.dialect.Dialect;
import io.shardmark.sql.script.ScriptStep;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The stored transactions on two small warehouses with all keys in place; exact rows and money. */
abstract class StoredProceduresContract {
  @SuppressWarnings("NullAway.Init") // set before each test
  private Connection connection;

  /** Runs steps of the scripts that have the functions. */
  abstract void runSteps(Connection own, List<ScriptStep> steps) throws SQLException;

  @BeforeEach
  void build() throws SQLException {
    connection = TestPostgres.open(TestPostgres.newDatabase());
    runSteps(connection, ScriptStep.beforeLoad());
    for (String statement : DATA.split(";", -1)) {
      execute(statement);
    }
    runSteps(connection, ScriptStep.afterLoad());
  }

  @AfterEach
  void disconnect() throws SQLException {
    connection.close();
  }

  @Test
  void newOrderWritesAllRowsAndReturnsTheScreen() throws SQLException {
    Map<String, String> screen =
        row("select * from bmsql_proc_new_order(1, 1, 2, '{1,2,0,0}', '{10,20,0,0}', '{5,3,0,0}')");
    assertThat(screen.remove("out_o_entry_d")).isNotNull();
    assertThat(screen)
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("out_w_tax", "0.1000"),
                Map.entry("out_d_tax", "0.0500"),
                Map.entry("out_o_id", "3"),
                Map.entry("out_o_ol_cnt", "2"),
                // (5 * 10.10 + 3 * 20.20) * (1 - 0.2) * (1 + 0.1 + 0.05) = 102.212
                Map.entry("out_total_amount", "102.21"),
                Map.entry("out_c_last", "BARBARBAR"),
                Map.entry("out_c_credit", "GC"),
                Map.entry("out_c_discount", "0.2000"),
                Map.entry("out_ol_amount", "{50.50,60.60}"),
                Map.entry("out_i_name", "{item10,item20}"),
                Map.entry("out_i_price", "{10.10,20.20}"),
                Map.entry("out_s_quantity", "{45,47}"),
                Map.entry("out_brand_generic", "{B,G}")));
    assertThat(text("select d_next_o_id from bmsql_district where d_w_id = 1 and d_id = 1"))
        .isEqualTo("4");
    assertThat(text("select d_next_o_id from bmsql_district where d_w_id = 1 and d_id = 2"))
        .isEqualTo("3");
    assertThat(
            text("select (o_c_id, o_carrier_id, o_ol_cnt, o_all_local) from bmsql_oorder " + KEY))
        .isEqualTo("(2,,2,0)");
    assertThat(text("select count(*) from bmsql_new_order where (no_w_id,no_d_id,no_o_id)=(1,1,3)"))
        .isEqualTo("1");
    assertThat(lines())
        .isEqualTo(
            "(1,10,1,5,50.50,district-1-of-item-10---,) (2,20,2,3,60.60,district-1-of-item-20---,)");
    assertThat(stock(1, 10)).isEqualTo("(45,5,1,0)");
    assertThat(stock(2, 20)).isEqualTo("(47,3,1,1)");
    assertThat(stock(1, 20)).isEqualTo("(50,0,0,0)");
  }

  @Test
  void newOrderTakesTheDistrictsOwnStockInformation() throws SQLException {
    row("select * from bmsql_proc_new_order(1, 10, 1, '{1}', '{10}', '{1}')");
    assertThat(text("select ol_dist_info from bmsql_order_line where ol_o_id = 3 and ol_d_id = 10"))
        .isEqualTo("district-10-of-item-10--");
  }

  @Test
  void newOrderOfHomeStockIsAllLocal() throws SQLException {
    row("select * from bmsql_proc_new_order(1, 1, 1, '{1,1}', '{10,20}', '{1,1}')");
    assertThat(text("select o_all_local from bmsql_oorder " + KEY)).isEqualTo("1");
  }

  @Test
  void newOrderNumbersLinesAsGivenNotAsSorted() throws SQLException {
    row("select * from bmsql_proc_new_order(1, 1, 1, '{2,1,1}', '{30,20,10}', '{1,2,3}')");
    assertThat(
            text(
                "select string_agg(ol_number || ':' || ol_i_id, ' ' order by ol_number)"
                    + " from bmsql_order_line where ol_w_id = 1 and ol_d_id = 1 and ol_o_id = 3"))
        .isEqualTo("1:30 2:20 3:10");
  }

  /** TPC-C 2.4.2.2: at least 10 must be left, else 91 are added; one line after the other. */
  @ParameterizedTest
  @CsvSource({
    "20, 10, 10",
    "19, 10, 100",
    "10, 1, 100",
    "100, 10, 90",
    "10, 10, 91",
    "11, 1, 10",
    // the same item twice and more often
    "20, '5,5', 10",
    "20, '5,6', 100",
    "15, '10,10', 86",
    "10, '10,10,10,10,10,10,10,10,10', 11",
    "10, '10,10,10,10,10,10,10,10,10,10', 92",
    "100, '10,10,10,10,10,10,10,10,10,10,10,10', 71",
    // beyond what TPC-C allows, as other tools leave it
    "105, '3,2', 100",
    "110, '1,1', 108",
    "5, 10, 86",
  })
  void newOrderRefillsStockLineAfterLine(int before, String quantities, int after)
      throws SQLException {
    execute("update bmsql_stock set s_quantity = " + before + " where s_w_id = 1 and s_i_id = 10");
    int[] ordered = Stream.of(quantities.split(",", -1)).mapToInt(Integer::parseInt).toArray();
    int expected = before;
    for (int quantity : ordered) {
      expected = expected >= quantity + 10 ? expected - quantity : expected - quantity + 91;
    }
    assertThat(after).as("the table's own arithmetic").isEqualTo(expected);
    String items = "10,".repeat(ordered.length - 1) + "10";
    row(
        "select * from bmsql_proc_new_order(1, 1, 1, '{%s}', '{%s}', '{%s}')"
            .formatted(items.replace("10", "1"), items, quantities));
    int total = Arrays.stream(ordered).sum();
    assertThat(stock(1, 10)).isEqualTo("(%d,%d,%d,0)".formatted(after, total, ordered.length));
    assertThat(text("select count(*) from bmsql_order_line where ol_d_id = 1 and ol_o_id = 3"))
        .isEqualTo(String.valueOf(ordered.length));
  }

  @Test
  void newOrderCountsARemoteItemOrderedTwiceAsTwoRemoteLines() throws SQLException {
    row("select * from bmsql_proc_new_order(1, 1, 1, '{2,2,1}', '{10,10,10}', '{1,2,4}')");
    assertThat(stock(2, 10)).isEqualTo("(47,3,2,2)");
    assertThat(stock(1, 10)).isEqualTo("(46,4,1,0)");
  }

  @Test
  void newOrderRaisesForAnUnusedItemAndLeavesNothing() throws SQLException {
    connection.setAutoCommit(false);
    assertThatThrownBy(
            () -> row("select * from bmsql_proc_new_order(1,1,1,'{1,1}','{10,9999999}','{5,5}')"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(Dialect.POSTGRES.isInvalidItem(e)).isTrue())
        .hasMessageContaining("Item number is not valid");
    connection.rollback();
    connection.setAutoCommit(true);
    assertThat(stock(1, 10)).isEqualTo("(50,0,0,0)");
    assertThat(text("select d_next_o_id from bmsql_district where d_w_id = 1 and d_id = 1"))
        .isEqualTo("3");
    assertThat(text("select count(*) from bmsql_oorder " + KEY)).isEqualTo("0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"1,1,99,'{1}','{10}','{1}'", "9,1,1,'{1}','{10}','{1}'", "1,1,1,'{7}','{10}','{1}'"})
  void newOrderTellsMissingRowsFromUnusedItems(String arguments) {
    assertThatThrownBy(() -> row("select * from bmsql_proc_new_order(" + arguments + ")"))
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> {
              assertThat(e.getSQLState()).isEqualTo("P0002");
              assertThat(Dialect.POSTGRES.isInvalidItem(e)).isFalse();
            });
  }

  @Test
  void paymentBooksTheAmountEverywhere() throws SQLException {
    Map<String, String> screen =
        row("select * from bmsql_proc_payment(1, 1, 2, 3, 2, null, 1234.56)");
    assertThat(screen)
        .containsEntry("out_w_name", "ware1")
        .containsEntry("out_d_name", "dist1")
        .containsEntry("out_c_id", "2")
        .containsEntry("out_c_first", "Bob")
        .containsEntry("out_c_balance", "-1244.56")
        .containsEntry("out_c_credit_lim", "50000.00")
        .containsEntry("out_c_credit", "GC")
        .containsEntry("out_c_data", null);
    assertThat(text("select w_ytd from bmsql_warehouse where w_id = 1")).isEqualTo("301234.56");
    assertThat(text("select w_ytd from bmsql_warehouse where w_id = 2")).isEqualTo("300000.00");
    assertThat(text("select d_ytd from bmsql_district where d_w_id = 1 and d_id = 1"))
        .isEqualTo("31234.56");
    assertThat(
            text(
                "select (c_balance, c_ytd_payment, c_payment_cnt, c_data) from bmsql_customer"
                    + " where c_w_id = 2 and c_d_id = 3 and c_id = 2"))
        .isEqualTo("(-1244.56,1244.56,2,data)");
    assertThat(
            text(
                "select (hist_id, h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_amount, h_data)"
                    + " from bmsql_history where h_date is not null and hist_id > 60"))
        .isEqualTo("(61,2,3,2,1,1,1234.56,\"ware1    dist1\")");
  }

  @Test
  void paymentOfBadCreditPutsItsDataInFrontOfTheOld() throws SQLException {
    String expected = "C_ID=3 C_D_ID=1 C_W_ID=1 D_ID=2 W_ID=1 H_AMOUNT=7.50   data";
    Map<String, String> screen = row("select * from bmsql_proc_payment(1, 2, 3, 1, 1, null, 7.5)");
    assertThat(screen).containsEntry("out_c_credit", "BC").containsEntry("out_c_data", expected);
    assertThat(text("select c_data from bmsql_customer where (c_w_id,c_d_id,c_id) = (1,1,3)"))
        .isEqualTo(expected);
    execute("update bmsql_customer set c_data = repeat('x', 500) where c_id = 3");
    row("select * from bmsql_proc_payment(1, 2, 3, 1, 1, null, 7.5)");
    assertThat(text("select c_data from bmsql_customer where (c_w_id,c_d_id,c_id) = (1,1,3)"))
        .hasSize(500)
        .startsWith("C_ID=3 C_D_ID=1 C_W_ID=1 D_ID=2 W_ID=1 H_AMOUNT=7.50   xxx");
  }

  /** TPC-C 2.5.2.2: position n/2 rounded up, sorted by first name: Ann, Bob, Cid. */
  @Test
  void customersByNameAreTheMiddleOnesByFirstName() throws SQLException {
    String find = "select bmsql_cid_from_clast(1, 1, 'BARBARBAR')";
    assertThat(text(find)).as("Bob of three").isEqualTo("2");
    assertThat(row("select * from bmsql_proc_payment(1, 1, 0, 1, 1, 'BARBARBAR', 1.00)"))
        .containsEntry("out_c_id", "2");
    assertThat(row("select * from bmsql_proc_payment(1, 1, null, 1, 1, 'BARBARBAR', 1.00)"))
        .containsEntry("out_c_id", "2");
    assertThat(row("select * from bmsql_proc_order_status(1, 1, null, 'BARBARBAR')"))
        .containsEntry("out_c_id", "2");
    execute("update bmsql_customer set c_last = 'OTHER' where c_id = 3");
    assertThat(text(find)).as("Ann of two").isEqualTo("1");
    assertThat(text("select bmsql_cid_from_clast(1, 1, 'NOBODY')")).isNull();
    assertThatThrownBy(() -> row("select * from bmsql_proc_payment(1, 1, 0, 1, 1, 'NOBODY', 1.00)"))
        .hasMessageContaining("does not exist");
  }

  @Test
  void orderStatusShowsTheLastOrder() throws SQLException {
    row("select * from bmsql_proc_new_order(1, 1, 2, '{1,2}', '{30,20}', '{5,3}')");
    assertThat(row("select * from bmsql_proc_order_status(1, 1, 2, null)"))
        .containsEntry("out_c_first", "Bob")
        .containsEntry("out_c_middle", "OE")
        .containsEntry("out_c_balance", "-10.00")
        .containsEntry("out_o_id", "3")
        .containsEntry("out_o_carrier_id", null)
        .containsEntry("out_ol_i_id", "{30,20}")
        .containsEntry("out_ol_supply_w_id", "{1,2}")
        .containsEntry("out_ol_quantity", "{5,3}")
        .containsEntry("out_ol_amount", "{151.50,60.60}")
        .containsEntry("out_ol_delivery_d", "{NULL,NULL}");
    assertThat(row("select * from bmsql_proc_order_status(1, 1, 3, null)"))
        .containsEntry("out_c_id", "3")
        .containsEntry("out_o_id", null)
        .containsEntry("out_ol_i_id", null);
  }

  @Test
  void stockLevelCountsEachLowItemOfTheLastTwentyOrdersOnce() throws SQLException {
    String level = "select out_low_stock from bmsql_proc_stock_level(1, 1, 15)";
    assertThat(text(level)).isEqualTo("0");
    execute("update bmsql_stock set s_quantity = 14 where s_w_id = 1 and s_i_id in (10, 30)");
    execute("update bmsql_stock set s_quantity = 15 where s_w_id = 1 and s_i_id = 20");
    execute("update bmsql_stock set s_quantity = 1 where s_w_id = 2");
    assertThat(text(level)).as("orders 1 and 2 both hold item 10 only").isEqualTo("1");
    execute("update bmsql_district set d_next_o_id = 22 where d_w_id = 1 and d_id = 1");
    assertThat(text(level)).as("order 2 is the 20th from the end").isEqualTo("1");
    execute("update bmsql_district set d_next_o_id = 23 where d_w_id = 1 and d_id = 1");
    assertThat(text(level)).as("order 2 is too old").isEqualTo("0");
  }

  @Test
  void deliveryDeliversTheOldestOrderOfEachDistrict() throws SQLException {
    execute("delete from bmsql_new_order where no_w_id = 1 and no_d_id = 4");
    Map<String, String> first =
        row("select * from bmsql_proc_delivery_bg(1, 7, timestamp '2026-01-02 03:04:05')");
    assertThat(first)
        .containsEntry("out_delivered_o_id", "{1,1,1,NULL,1,1,1,1,1,1}")
        .containsEntry("out_dskipped", "1");
    assertThat(
            text(
                "select string_agg(distinct o_w_id || ':' || o_id, ' ') from bmsql_oorder"
                    + " where o_carrier_id = 7"))
        .isEqualTo("1:1");
    assertThat(
            text(
                "select count(*) from bmsql_order_line"
                    + " where ol_delivery_d = timestamp '2026-01-02 03:04:05'"))
        .isEqualTo("18");
    assertThat(
            text(
                "select (c_balance, c_delivery_cnt) from bmsql_customer"
                    + " where c_w_id = 1 and c_d_id = 1 and c_id = 1"))
        .as("-10.00 + 12.34 + 0.66")
        .isEqualTo("(3.00,1)");
    assertThat(
            text(
                "select (c_balance, c_delivery_cnt) from bmsql_customer"
                    + " where c_w_id = 1 and c_d_id = 4 and c_id = 1"))
        .isEqualTo("(-10.00,0)");
    assertThat(row("select * from bmsql_proc_delivery_bg(1, 8, localtimestamp::timestamp)"))
        .containsEntry("out_delivered_o_id", "{2,2,2,NULL,2,2,2,2,2,2}");
    assertThat(row("select * from bmsql_proc_delivery_bg(1, 8, localtimestamp::timestamp)"))
        .containsEntry("out_dskipped", "10");
    assertThat(text("select count(*) from bmsql_new_order where no_w_id = 2")).isEqualTo("20");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "delete from bmsql_order_line where (ol_w_id, ol_d_id, ol_o_id) = (1, 3, 1)",
        "delete from bmsql_oorder where (o_w_id, o_d_id, o_id) = (1, 3, 1)",
        "delete from bmsql_customer where (c_w_id, c_d_id, c_id) = (1, 3, 1)"
      })
  void deliveryRaisesForAnOrderWithoutItsRows(String damage) throws SQLException {
    // Foreign keys would not let the damage be done.
    execute("alter table bmsql_order_line drop constraint ol_order_fkey");
    execute("alter table bmsql_new_order drop constraint no_order_fkey");
    execute("alter table bmsql_oorder drop constraint o_customer_fkey");
    execute("alter table bmsql_history drop constraint h_customer_fkey");
    execute(damage);
    String orders = "select count(*) from bmsql_new_order where no_w_id = 1";
    String before = text(orders);
    assertThatThrownBy(
            () -> row("select * from bmsql_proc_delivery_bg(1, 7, localtimestamp::timestamp)"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("P0002"))
        .hasMessageContaining("warehouse 1, 1 lack");
    assertThat(text(orders)).isEqualTo(before);
    assertThat(text("select count(*) from bmsql_oorder where o_carrier_id = 7")).isEqualTo("0");
  }

  private String stock(int warehouse, int item) throws SQLException {
    return text(
        "select (s_quantity, s_ytd, s_order_cnt, s_remote_cnt) from bmsql_stock where s_w_id = %d and s_i_id = %d"
            .formatted(warehouse, item));
  }

  private String lines() throws SQLException {
    return text(
        "select string_agg((ol_number, ol_i_id, ol_supply_w_id, ol_quantity, ol_amount,"
            + " ol_dist_info, ol_delivery_d)::text, ' ' order by ol_number) from bmsql_order_line"
            + " where ol_w_id = 1 and ol_d_id = 1 and ol_o_id = 3");
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private String text(String sql) throws SQLException {
    return row(sql).values().iterator().next();
  }

  private Map<String, String> row(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      Map<String, String> found = new LinkedHashMap<>();
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        found.put(rows.getMetaData().getColumnName(i), rows.getString(i));
      }
      assertThat(rows.next()).isFalse();
      return found;
    }
  }

  private static final String KEY = "where o_w_id = 1 and o_d_id = 1 and o_id = 3";

  /** Two warehouses, ten districts, three customers, three items, two open orders of customer 1. */
  private static final String DATA =
      """
      insert into bmsql_item
        select i, 'item' || i, i * 1.01, 'x' || case i when 10 then 'ORIGINAL' else '' end, 1
        from unnest(array[10, 20, 30]) i;
      insert into bmsql_warehouse
        select w, 300000, 0.1, 'ware' || w, 's1', 's2', 'city', 'ST', '123411111'
        from generate_series(1, 2) w;
      insert into bmsql_district
        select w, d, 30000, 0.05, 3, 'dist' || d, 's1', 's2', 'city', 'ST', '123411111'
        from generate_series(1, 2) w, generate_series(1, 10) d;
      insert into bmsql_customer
        select w, d, c, 0.2, case c when 3 then 'BC' else 'GC' end, 'BARBARBAR',
          (array['Ann', 'Bob', 'Cid'])[c], 50000, -10, 10, 1, 0, 's1', 's2', 'city', 'ST',
          '123411111', '1234567890123456', now(), 'OE', 'data'
        from generate_series(1, 2) w, generate_series(1, 10) d, generate_series(1, 3) c;
      insert into bmsql_history
        select row_number() over (), c, d, w, d, w, now(), 10, 'h'
        from generate_series(1, 2) w, generate_series(1, 10) d, generate_series(1, 3) c;
      insert into bmsql_oorder
        select w, d, o, 1, null, 2, 1, now()
        from generate_series(1, 2) w, generate_series(1, 10) d, generate_series(1, 2) o;
      insert into bmsql_new_order select o_w_id, o_d_id, o_id from bmsql_oorder;
      insert into bmsql_stock
        select w, i, 50, 0, 0, 0, 'yORIGINAL',
          rpad('district-1-of-item-' || i, 24, '-'), '2', '3', '4', '5', '6', '7', '8', '9',
          rpad('district-10-of-item-' || i, 24, '-')
        from generate_series(1, 2) w, unnest(array[10, 20, 30]) i;
      insert into bmsql_order_line
        select o_w_id, o_d_id, o_id, n, 10, null, case n when 1 then 12.34 else 0.66 end,
          o_w_id, 5, 'dist'
        from bmsql_oorder, generate_series(1, 2) n
      """;
}
