package io.shardmark.driver.tpcc.conditions;

import static io.shardmark.driver.verify.Condition.afterLoad;
import static io.shardmark.driver.verify.Condition.always;
import static io.shardmark.driver.verify.Condition.ofSums;

import io.shardmark.driver.verify.Condition;
import io.shardmark.driver.verify.Condition.ExpectedSum;
import java.util.List;

/**
 * The twelve conditions of TPC-C 3.3.2.1 to 3.3.2.12.
 *
 * <p>Where a condition compares two tables, both sides are put under each other with UNION ALL and
 * grouped by the key. An inner join would hide a row that is missing on one side, and not every
 * database here has a full outer join. A side without a row counts as 0, and a {@code ..._found}
 * column distinguishes a missing row from a zero. {@code count(x) < count(*)} finds NULL amounts,
 * which {@code sum} would pass over. Ids start at 1, so 0 means "no row" where ids are compared.
 *
 * <p>The history of a warehouse may lie on several shards: each row is where its customer is.
 */
final class ConsistencyConditions {
  private ConsistencyConditions() {}

  static List<Condition> all() {
    return List.of(
        always(
            "3.3.2.1",
            "W_YTD = sum(D_YTD) of the warehouse",
            1,
            1,
            """
            SELECT w_id, sum(w_ytd) AS w_ytd, sum(d_ytd) AS sum_d_ytd,
                   sum(w_found) AS warehouses, sum(d_found) AS districts
              FROM (SELECT w_id, w_ytd, 0 AS d_ytd, 1 AS w_found, 0 AS d_found
                      FROM bmsql_warehouse
                    UNION ALL
                    SELECT d_w_id, 0, d_ytd, 0, 1 FROM bmsql_district) x
             GROUP BY w_id
            HAVING sum(w_ytd) <> sum(d_ytd)
                OR sum(w_found) <> 1 OR sum(d_found) = 0
                OR count(w_ytd) < count(*) OR count(d_ytd) < count(*)
            """),
        // The clause exempts NEW-ORDER in districts that have no outstanding order.
        always(
            "3.3.2.2",
            "D_NEXT_O_ID - 1 = max(O_ID) = max(NO_O_ID) of the district",
            3,
            2,
            """
            SELECT w_id, d_id, max(next_o_id) AS d_next_o_id, max(max_o_id) AS max_o_id,
                   max(max_no_o_id) AS max_no_o_id, sum(d_found) AS districts
              FROM (SELECT d_w_id AS w_id, d_id, d_next_o_id AS next_o_id, 0 AS max_o_id,
                           0 AS max_no_o_id, 1 AS d_found
                      FROM bmsql_district
                    UNION ALL
                    SELECT o_w_id, o_d_id, 0, max(o_id), 0, 0 FROM bmsql_oorder
                     GROUP BY o_w_id, o_d_id
                    UNION ALL
                    SELECT no_w_id, no_d_id, 0, 0, max(no_o_id), 0 FROM bmsql_new_order
                     GROUP BY no_w_id, no_d_id) x
             GROUP BY w_id, d_id
            HAVING max(next_o_id) - 1 <> max(max_o_id)
                OR (max(max_no_o_id) <> 0 AND max(next_o_id) - 1 <> max(max_no_o_id))
                OR sum(d_found) <> 1 OR count(next_o_id) < count(*)
            """),
        // Districts without an outstanding order form no group: the clause exempts them.
        always(
            "3.3.2.3",
            "max(NO_O_ID) - min(NO_O_ID) + 1 = number of NEW-ORDER rows of the district",
            1,
            2,
            """
            SELECT no_w_id, no_d_id, min(no_o_id) AS min_no_o_id, max(no_o_id) AS max_no_o_id,
                   count(*) AS new_orders
              FROM bmsql_new_order
             GROUP BY no_w_id, no_d_id
            HAVING max(no_o_id) - min(no_o_id) + 1 <> count(*)
            """),
        always(
            "3.3.2.4",
            "sum(O_OL_CNT) = number of ORDER-LINE rows of the district",
            6,
            2,
            """
            SELECT w_id, d_id, sum(ol_cnt) AS sum_o_ol_cnt, sum(line_count) AS order_lines
              FROM (SELECT o_w_id AS w_id, o_d_id AS d_id, sum(o_ol_cnt) AS ol_cnt, 0 AS line_count
                      FROM bmsql_oorder GROUP BY o_w_id, o_d_id
                    UNION ALL
                    SELECT ol_w_id, ol_d_id, 0, count(*) FROM bmsql_order_line
                     GROUP BY ol_w_id, ol_d_id) x
             GROUP BY w_id, d_id
            HAVING sum(ol_cnt) <> sum(line_count) OR count(ol_cnt) < count(*)
            """),
        always(
            "3.3.2.5",
            "O_CARRIER_ID is null if and only if the order has a NEW-ORDER row",
            4,
            3,
            """
            SELECT o.o_w_id, o.o_d_id, o.o_id, o.o_carrier_id,
                   CASE WHEN n.no_o_id IS NULL THEN 'no NEW-ORDER row'
                        ELSE 'has a NEW-ORDER row' END AS finding
              FROM bmsql_oorder o
              LEFT JOIN bmsql_new_order n
                ON n.no_w_id = o.o_w_id AND n.no_d_id = o.o_d_id AND n.no_o_id = o.o_id
             WHERE (o.o_carrier_id IS NULL AND n.no_o_id IS NULL)
                OR (o.o_carrier_id IS NOT NULL AND n.no_o_id IS NOT NULL)
            UNION ALL
            SELECT n.no_w_id, n.no_d_id, n.no_o_id, o.o_carrier_id, 'NEW-ORDER row without an order'
              FROM bmsql_new_order n
              LEFT JOIN bmsql_oorder o
                ON o.o_w_id = n.no_w_id AND o.o_d_id = n.no_d_id AND o.o_id = n.no_o_id
             WHERE o.o_id IS NULL
            """),
        // Finds orders without lines and lines without an order as well.
        always(
            "3.3.2.6",
            "O_OL_CNT = number of ORDER-LINE rows of the order",
            9,
            3,
            """
            SELECT w_id, d_id, o_id, sum(ol_cnt) AS o_ol_cnt, sum(line_count) AS order_lines,
                   sum(o_found) AS order_rows
              FROM (SELECT o_w_id AS w_id, o_d_id AS d_id, o_id, o_ol_cnt AS ol_cnt,
                           0 AS line_count, 1 AS o_found
                      FROM bmsql_oorder
                    UNION ALL
                    SELECT ol_w_id, ol_d_id, ol_o_id, 0, count(*), 0 FROM bmsql_order_line
                     GROUP BY ol_w_id, ol_d_id, ol_o_id) x
             GROUP BY w_id, d_id, o_id
            HAVING sum(ol_cnt) <> sum(line_count) OR sum(o_found) <> 1 OR count(ol_cnt) < count(*)
            """),
        always(
            "3.3.2.7",
            "OL_DELIVERY_D is null if and only if O_CARRIER_ID of its order is null",
            8,
            4,
            """
            SELECT l.ol_w_id, l.ol_d_id, l.ol_o_id, l.ol_number, l.ol_delivery_d, o.o_carrier_id,
                   CASE WHEN o.o_id IS NULL THEN 'line without an order'
                        WHEN o.o_carrier_id IS NULL THEN 'delivery date but no carrier'
                        ELSE 'carrier but no delivery date' END AS finding
              FROM bmsql_order_line l
              LEFT JOIN bmsql_oorder o
                ON o.o_w_id = l.ol_w_id AND o.o_d_id = l.ol_d_id AND o.o_id = l.ol_o_id
             WHERE o.o_id IS NULL
                OR (l.ol_delivery_d IS NULL AND o.o_carrier_id IS NOT NULL)
                OR (l.ol_delivery_d IS NOT NULL AND o.o_carrier_id IS NULL)
            """),
        ofSums(
            "3.3.2.8",
            "W_YTD = sum(H_AMOUNT) of the warehouse",
            3,
            1,
            """
            SELECT w_id, coalesce(sum(w_ytd), 0) AS w_ytd, coalesce(sum(h_amount), 0) AS sum_h_amount,
                   sum(w_found) AS warehouses, sum(nulls) AS nulls
              FROM (SELECT w_id, w_ytd, 0 AS h_amount, 1 AS w_found,
                           CASE WHEN w_ytd IS NULL THEN 1 ELSE 0 END AS nulls
                      FROM bmsql_warehouse
                    UNION ALL
                    SELECT h_w_id, 0, sum(h_amount), 0, count(*) - count(h_amount)
                      FROM bmsql_history GROUP BY h_w_id) x
             GROUP BY w_id
            """,
            new ExpectedSum("w_ytd", "sum_h_amount"),
            ExpectedSum.of("warehouses", 1),
            ExpectedSum.of("nulls", 0)),
        ofSums(
            "3.3.2.9",
            "D_YTD = sum(H_AMOUNT) of the district",
            3,
            2,
            """
            SELECT w_id, d_id, coalesce(sum(d_ytd), 0) AS d_ytd,
                   coalesce(sum(h_amount), 0) AS sum_h_amount, sum(d_found) AS districts,
                   sum(nulls) AS nulls
              FROM (SELECT d_w_id AS w_id, d_id, d_ytd, 0 AS h_amount, 1 AS d_found,
                           CASE WHEN d_ytd IS NULL THEN 1 ELSE 0 END AS nulls
                      FROM bmsql_district
                    UNION ALL
                    SELECT h_w_id, h_d_id, 0, sum(h_amount), 0, count(*) - count(h_amount)
                      FROM bmsql_history GROUP BY h_w_id, h_d_id) x
             GROUP BY w_id, d_id
            """,
            new ExpectedSum("d_ytd", "sum_h_amount"),
            ExpectedSum.of("districts", 1),
            ExpectedSum.of("nulls", 0)),
        always(
            "3.3.2.10",
            "C_BALANCE = sum(OL_AMOUNT of delivered lines) - sum(H_AMOUNT) of the customer",
            10,
            3,
            """
            SELECT w_id, d_id, c_id, sum(balance) AS c_balance, sum(delivered) AS sum_ol_amount,
                   sum(paid) AS sum_h_amount, sum(c_found) AS customers
              FROM (SELECT c_w_id AS w_id, c_d_id AS d_id, c_id, c_balance AS balance,
                           0 AS delivered, 0 AS paid, 1 AS c_found
                      FROM bmsql_customer
                    UNION ALL
                    SELECT o_w_id, o_d_id, o_c_id, 0, sum(ol_amount), 0, 0
                      FROM bmsql_oorder
                      JOIN bmsql_order_line
                        ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
                     WHERE ol_delivery_d IS NOT NULL
                     GROUP BY o_w_id, o_d_id, o_c_id
                    UNION ALL
                    SELECT h_c_w_id, h_c_d_id, h_c_id, 0, 0, sum(h_amount), 0
                      FROM bmsql_history GROUP BY h_c_w_id, h_c_d_id, h_c_id) x
             GROUP BY w_id, d_id, c_id
            HAVING sum(balance) <> sum(delivered) - sum(paid) OR sum(c_found) <> 1
                OR count(balance) < count(*) OR count(delivered) < count(*) OR count(paid) < count(*)
            """),
        afterLoad(
            "3.3.2.11",
            "number of ORDER rows - number of NEW-ORDER rows = 2100 in the district",
            3,
            2,
            """
            SELECT w_id, d_id, sum(order_count) AS order_count,
                   sum(new_order_count) AS new_order_count
              FROM (SELECT d_w_id AS w_id, d_id, 0 AS order_count, 0 AS new_order_count
                      FROM bmsql_district
                    UNION ALL
                    SELECT o_w_id, o_d_id, count(*), 0 FROM bmsql_oorder GROUP BY o_w_id, o_d_id
                    UNION ALL
                    SELECT no_w_id, no_d_id, 0, count(*) FROM bmsql_new_order
                     GROUP BY no_w_id, no_d_id) x
             GROUP BY w_id, d_id
            HAVING sum(order_count) - sum(new_order_count) <> 2100
            """),
        always(
            "3.3.2.12",
            "C_BALANCE + C_YTD_PAYMENT = sum(OL_AMOUNT of delivered lines) of the customer",
            10,
            3,
            """
            SELECT w_id, d_id, c_id, sum(balance) AS c_balance, sum(ytd_payment) AS c_ytd_payment,
                   sum(delivered) AS sum_ol_amount, sum(c_found) AS customers
              FROM (SELECT c_w_id AS w_id, c_d_id AS d_id, c_id, c_balance AS balance,
                           c_ytd_payment AS ytd_payment, 0 AS delivered, 1 AS c_found
                      FROM bmsql_customer
                    UNION ALL
                    SELECT o_w_id, o_d_id, o_c_id, 0, 0, sum(ol_amount), 0
                      FROM bmsql_oorder
                      JOIN bmsql_order_line
                        ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
                     WHERE ol_delivery_d IS NOT NULL
                     GROUP BY o_w_id, o_d_id, o_c_id) x
             GROUP BY w_id, d_id, c_id
            HAVING sum(balance) + sum(ytd_payment) <> sum(delivered) OR sum(c_found) <> 1
                OR count(balance) < count(*) OR count(ytd_payment) < count(*)
                OR count(delivered) < count(*)
            """));
  }
}
