package io.shardmark.driver.tpcc.conditions;

import static io.shardmark.driver.verify.Condition.always;

import io.shardmark.driver.verify.Condition;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Every column has a value of its range (TPC-C 1.3.1, 4.3.3.1), and keeps one whatever transactions
 * do. What decides other rows, such as keys, amounts and order lines, is with the conditions of
 * those.
 */
final class ValueConditions {
  private static final String CLAUSE = "4.3.3.1";

  private ValueConditions() {}

  static List<Condition> all() {
    return List.of(
        always(
            CLAUSE,
            "a warehouse has its texts and a tax of 0 to 0.2",
            1,
            1,
            select(
                "bmsql_warehouse",
                "w_id, w_tax, w_name, w_zip",
                noRange("w_tax", "0", "0.2"),
                noText("w_name w_street_1 w_street_2 w_city w_state w_zip"))),
        always(
            CLAUSE,
            "a district has its texts and a tax of 0 to 0.2",
            1,
            2,
            select(
                "bmsql_district",
                "d_w_id, d_id, d_tax, d_name, d_zip",
                noRange("d_tax", "0", "0.2"),
                noText("d_name d_street_1 d_street_2 d_city d_state d_zip"))),
        always(
            CLAUSE,
            "a customer has its texts, credit GC or BC and a discount of 0 to 0.5",
            4,
            3,
            select(
                "bmsql_customer",
                "c_w_id, c_d_id, c_id, c_credit, c_last, c_discount, c_credit_lim, c_payment_cnt,"
                    + " c_delivery_cnt",
                "c_credit IS NULL OR c_credit NOT IN ('GC', 'BC')",
                noRange("c_discount", "0", "0.5"),
                "c_credit_lim IS NULL OR c_since IS NULL",
                notFrom("c_payment_cnt", "1"),
                notFrom("c_delivery_cnt", "0"),
                noText(
                    "c_first c_middle c_last c_street_1 c_street_2 c_city c_state c_zip c_phone"
                        + " c_data"))),
        always(
            CLAUSE,
            "a history row has its customer, district, date and text and an amount of 1 to 5000",
            3,
            5,
            select(
                "bmsql_history",
                "h_c_w_id, h_c_d_id, h_c_id, h_w_id, h_d_id, h_date, h_amount",
                "h_c_id IS NULL OR h_c_d_id IS NULL OR h_c_w_id IS NULL",
                "h_d_id IS NULL OR h_w_id IS NULL OR h_date IS NULL",
                noRange("h_amount", "1", "5000"),
                noText("h_data"))),
        always(
            CLAUSE,
            "an order has a date, a carrier of 1 to 10 if it has one, and O_ALL_LOCAL 0 or 1",
            2,
            3,
            select(
                "bmsql_oorder",
                "o_w_id, o_d_id, o_id, o_entry_d, o_carrier_id, o_all_local",
                "o_entry_d IS NULL OR o_carrier_id < 1 OR o_carrier_id > 10",
                noRange("o_all_local", "0", "1"))),
        always(
            CLAUSE,
            "a line has a quantity of 1 to 10, an amount of 0 to 9999.99 and a text",
            6,
            4,
            select(
                "bmsql_order_line",
                "ol_w_id, ol_d_id, ol_o_id, ol_number, ol_quantity, ol_amount, ol_dist_info",
                noRange("ol_quantity", "1", "10"),
                noRange("ol_amount", "0", "9999.99"),
                noText("ol_dist_info"))),
        // The loader gives each district the orders 1 to 3000, whose amounts are no prices.
        always(
            "2.4.2.2",
            "OL_AMOUNT = OL_QUANTITY * I_PRICE of lines since the load",
            6,
            4,
            """
            SELECT ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_quantity, ol_amount, i_price
              FROM bmsql_order_line
              LEFT JOIN bmsql_item ON i_id = ol_i_id
             WHERE ol_o_id > 3000
               AND (i_price IS NULL OR ol_amount <> ol_quantity * i_price)
            """),
        always(
            CLAUSE,
            "an item has its texts, an image of 1 to 10000 and a price of 1 to 100",
            2,
            1,
            select(
                "bmsql_item",
                "i_id, i_name, i_price, i_im_id",
                noRange("i_price", "1", "100"),
                noRange("i_im_id", "1", "10000"),
                noText("i_name i_data"))),
        always(
            CLAUSE,
            "a stock row has its texts and counts from 0",
            5,
            2,
            select(
                "bmsql_stock",
                "s_w_id, s_i_id, s_ytd, s_order_cnt, s_remote_cnt",
                notFrom("s_ytd", "0"),
                notFrom("s_order_cnt", "0"),
                notFrom("s_remote_cnt", "0"),
                noText(
                    "s_data s_dist_01 s_dist_02 s_dist_03 s_dist_04 s_dist_05 s_dist_06 s_dist_07"
                        + " s_dist_08 s_dist_09 s_dist_10"))));
  }

  private static String select(String table, String columns, String... faults) {
    return "SELECT %s%n  FROM %s%n WHERE %s%n"
        .formatted(columns, table, String.join("\n    OR ", faults));
  }

  private static String noRange(String column, String lowest, String highest) {
    return "%1$s IS NULL OR %1$s < %2$s OR %1$s > %3$s".formatted(column, lowest, highest);
  }

  private static String notFrom(String column, String lowest) {
    return "%1$s IS NULL OR %1$s < %2$s".formatted(column, lowest);
  }

  /** Oracle's empty text is null. */
  private static String noText(String columns) {
    return Stream.of(columns.split(" "))
        .map("%1$s IS NULL OR %1$s = ''"::formatted)
        .collect(Collectors.joining(" OR "));
  }
}
