package io.shardmark.driver.tpcc.conditions;

import java.util.List;

/**
 * One fault planted in {@link TinyDatabase} and what the condition must say of it.
 *
 * @param name what is done
 * @param clause the condition that must fail
 * @param sql plants the fault
 * @param offenders the sample rows that the condition must name, complete and in order
 */
record Corruption(String name, String clause, String sql, List<String> offenders) {

  @Override
  public String toString() {
    return clause + " " + name;
  }

  private static Corruption of(String name, String clause, String sql, String... offenders) {
    return new Corruption(name, clause, sql, List.of(offenders));
  }

  static List<Corruption> all() {
    return List.of(
        of(
            "district total off by a cent",
            "3.3.2.1",
            "UPDATE bmsql_district SET d_ytd = d_ytd + 0.01 WHERE d_w_id = 2 AND d_id = 1",
            "w_id=2 w_ytd=91.00 sum_d_ytd=91.01 warehouses=1 districts=2"),
        of(
            "warehouse missing",
            "3.3.2.1",
            "DELETE FROM bmsql_warehouse WHERE w_id = 1",
            "w_id=1 w_ytd=0.00 sum_d_ytd=91.00 warehouses=0 districts=2"),
        of(
            "all districts missing",
            "3.3.2.1",
            "DELETE FROM bmsql_district WHERE d_w_id = 1",
            "w_id=1 w_ytd=91.00 sum_d_ytd=0.00 warehouses=1 districts=0"),
        of(
            "total is null",
            "3.3.2.1",
            "UPDATE bmsql_warehouse SET w_ytd = NULL WHERE w_id = 1",
            "w_id=1 w_ytd=0.00 sum_d_ytd=91.00 warehouses=1 districts=2"),
        of(
            "next order id moved",
            "3.3.2.2",
            "UPDATE bmsql_district SET d_next_o_id = 9 WHERE d_w_id = 1 AND d_id = 2",
            "w_id=1 d_id=2 d_next_o_id=9 max_o_id=7 max_no_o_id=7 districts=1"),
        of(
            "newest order missing",
            "3.3.2.2",
            "DELETE FROM bmsql_oorder WHERE o_w_id = 1 AND o_d_id = 2 AND o_id = 7",
            "w_id=1 d_id=2 d_next_o_id=8 max_o_id=6 max_no_o_id=7 districts=1"),
        of(
            "newest new-order missing",
            "3.3.2.2",
            "DELETE FROM bmsql_new_order WHERE no_w_id = 2 AND no_d_id = 2 AND no_o_id = 7",
            "w_id=2 d_id=2 d_next_o_id=8 max_o_id=7 max_no_o_id=6 districts=1"),
        of(
            "district missing",
            "3.3.2.2",
            "DELETE FROM bmsql_district WHERE d_w_id = 2 AND d_id = 2",
            "w_id=2 d_id=2 d_next_o_id=0 max_o_id=7 max_no_o_id=7 districts=0"),
        of(
            "gap in the new-orders",
            "3.3.2.3",
            "DELETE FROM bmsql_new_order WHERE no_w_id = 1 AND no_d_id = 1 AND no_o_id = 6",
            "no_w_id=1 no_d_id=1 min_no_o_id=5 max_no_o_id=7 new_orders=2"),
        of(
            "new-order twice",
            "3.3.2.3",
            "INSERT INTO bmsql_new_order VALUES (2, 1, 6)",
            "no_w_id=2 no_d_id=1 min_no_o_id=5 max_no_o_id=7 new_orders=4"),
        of(
            "line missing",
            "3.3.2.4",
            "DELETE FROM bmsql_order_line"
                + " WHERE ol_w_id = 1 AND ol_d_id = 1 AND ol_o_id = 2 AND ol_number = 5",
            "w_id=1 d_id=1 sum_o_ol_cnt=39 order_lines=38"),
        of(
            "lines of a district without orders",
            "3.3.2.4",
            TinyDatabase.INTO_LINE + " VALUES (2, 3, 1, 1, 1, NULL, 1.00, 2, 5)",
            "w_id=2 d_id=3 sum_o_ol_cnt=0 order_lines=1"),
        of(
            "carrier while outstanding",
            "3.3.2.5",
            "UPDATE bmsql_oorder SET o_carrier_id = 4 WHERE o_w_id = 1 AND o_d_id = 1 AND o_id = 5",
            "o_w_id=1 o_d_id=1 o_id=5 o_carrier_id=4 finding=has a NEW-ORDER row"),
        of(
            "new-order missing",
            "3.3.2.5",
            "DELETE FROM bmsql_new_order WHERE no_w_id = 1 AND no_d_id = 1 AND no_o_id = 5",
            "o_w_id=1 o_d_id=1 o_id=5 o_carrier_id=null finding=no NEW-ORDER row"),
        of(
            "order of a new-order missing",
            "3.3.2.5",
            "DELETE FROM bmsql_oorder WHERE o_w_id = 2 AND o_d_id = 1 AND o_id = 6",
            "o_w_id=2 o_d_id=1 o_id=6 o_carrier_id=null finding=NEW-ORDER row without an order"),
        of(
            "line counts of two orders swapped",
            "3.3.2.6",
            "UPDATE bmsql_oorder SET o_ol_cnt = 11 - o_ol_cnt"
                + " WHERE o_w_id = 1 AND o_d_id = 2 AND o_id IN (1, 2)",
            "w_id=1 d_id=2 o_id=1 o_ol_cnt=5 order_lines=6 order_rows=1",
            "w_id=1 d_id=2 o_id=2 o_ol_cnt=6 order_lines=5 order_rows=1"),
        of(
            "order without lines",
            "3.3.2.6",
            "DELETE FROM bmsql_order_line WHERE ol_w_id = 1 AND ol_d_id = 2 AND ol_o_id = 3",
            "w_id=1 d_id=2 o_id=3 o_ol_cnt=6 order_lines=0 order_rows=1"),
        of(
            "lines without an order",
            "3.3.2.6",
            "DELETE FROM bmsql_oorder WHERE o_w_id = 1 AND o_d_id = 2 AND o_id = 3",
            "w_id=1 d_id=2 o_id=3 o_ol_cnt=0 order_lines=6 order_rows=0"),
        of(
            "delivered line without a date",
            "3.3.2.7",
            "UPDATE bmsql_order_line SET ol_delivery_d = NULL"
                + " WHERE ol_w_id = 1 AND ol_d_id = 1 AND ol_o_id = 4 AND ol_number = 2",
            "ol_w_id=1 ol_d_id=1 ol_o_id=4 ol_number=2 ol_delivery_d=null o_carrier_id=3"
                + " finding=carrier but no delivery date"),
        of(
            "carrier taken away",
            "3.3.2.7",
            "UPDATE bmsql_order_line SET ol_delivery_d = TIMESTAMP '2026-01-02 03:04:05'"
                + " WHERE ol_w_id = 1 AND ol_d_id = 1 AND ol_o_id = 7 AND ol_number = 2",
            "ol_w_id=1 ol_d_id=1 ol_o_id=7 ol_number=2 ol_delivery_d=2026-01-02 03:04:05"
                + " o_carrier_id=null finding=delivery date but no carrier"),
        of(
            "line without an order",
            "3.3.2.7",
            TinyDatabase.INTO_LINE + " VALUES (2, 2, 8, 1, 1, NULL, 1.00, 2, 5)",
            "ol_w_id=2 ol_d_id=2 ol_o_id=8 ol_number=1 ol_delivery_d=null o_carrier_id=null"
                + " finding=line without an order"),
        of(
            "payment of a warehouse lost",
            "3.3.2.8",
            "DELETE FROM bmsql_history WHERE h_w_id = 2 AND h_d_id = 1 AND h_amount = 5.50",
            "w_id=2 w_ytd=91.00 sum_h_amount=85.50 warehouses=1 nulls=0"),
        of(
            "payments of a warehouse that is missing",
            "3.3.2.8",
            "DELETE FROM bmsql_warehouse WHERE w_id = 2",
            "w_id=2 w_ytd=0.00 sum_h_amount=91.00 warehouses=0 nulls=0"),
        of(
            "payment without an amount",
            "3.3.2.8",
            "UPDATE bmsql_history SET h_amount = NULL"
                + " WHERE h_w_id = 2 AND h_d_id = 1 AND h_amount = 5.50",
            "w_id=2 w_ytd=91.00 sum_h_amount=85.50 warehouses=1 nulls=1"),
        of(
            "payment booked in the other district",
            "3.3.2.9",
            "UPDATE bmsql_history SET h_d_id = 2"
                + " WHERE h_w_id = 1 AND h_d_id = 1 AND h_amount = 5.50",
            "w_id=1 d_id=1 d_ytd=45.50 sum_h_amount=40.00 districts=1 nulls=0",
            "w_id=1 d_id=2 d_ytd=45.50 sum_h_amount=51.00 districts=1 nulls=0"),
        of(
            "history of a district missing",
            "3.3.2.9",
            "DELETE FROM bmsql_history WHERE h_w_id = 1 AND h_d_id = 2",
            "w_id=1 d_id=2 d_ytd=45.50 sum_h_amount=0.00 districts=1 nulls=0"),
        of(
            "balance off by a cent",
            "3.3.2.10",
            "UPDATE bmsql_customer SET c_balance = c_balance + 0.01"
                + " WHERE c_w_id = 1 AND c_d_id = 1 AND c_id = 2",
            "w_id=1 d_id=1 c_id=2 c_balance=106.26 sum_ol_amount=116.25 sum_h_amount=10.00"
                + " customers=1"),
        of(
            "payment lost",
            "3.3.2.10",
            "DELETE FROM bmsql_history WHERE h_w_id = 1 AND h_d_id = 1 AND h_c_id = 3",
            "w_id=1 d_id=1 c_id=3 c_balance=192.50 sum_ol_amount=202.50 sum_h_amount=0.00"
                + " customers=1"),
        of(
            "customer missing",
            "3.3.2.10",
            "DELETE FROM bmsql_customer WHERE c_w_id = 1 AND c_d_id = 1 AND c_id = 3",
            "w_id=1 d_id=1 c_id=3 c_balance=0.00 sum_ol_amount=202.50 sum_h_amount=10.00"
                + " customers=0"),
        of(
            "payments of the customer off",
            "3.3.2.12",
            "UPDATE bmsql_customer SET c_ytd_payment = c_ytd_payment - 1"
                + " WHERE c_w_id = 2 AND c_d_id = 2 AND c_id = 4",
            "w_id=2 d_id=2 c_id=4 c_balance=206.25 c_ytd_payment=9.00 sum_ol_amount=216.25"
                + " customers=1"),
        of(
            "delivered line lost",
            "3.3.2.12",
            "DELETE FROM bmsql_order_line"
                + " WHERE ol_w_id = 2 AND ol_d_id = 2 AND ol_o_id = 4 AND ol_number = 1",
            "w_id=2 d_id=2 c_id=4 c_balance=206.25 c_ytd_payment=10.00 sum_ol_amount=175.00"
                + " customers=1"),
        of(
            "delivered customer missing",
            "3.3.2.12",
            "DELETE FROM bmsql_customer WHERE c_w_id = 2 AND c_d_id = 2 AND c_id = 4",
            "w_id=2 d_id=2 c_id=4 c_balance=0.00 c_ytd_payment=0.00 sum_ol_amount=216.25"
                + " customers=0"));
  }
}
