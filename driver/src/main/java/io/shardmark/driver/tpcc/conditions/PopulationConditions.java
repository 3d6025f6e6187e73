package io.shardmark.driver.tpcc.conditions;

import static io.shardmark.driver.verify.Condition.afterLoad;
import static io.shardmark.driver.verify.Condition.always;
import static io.shardmark.driver.verify.Condition.ofSums;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.verify.Condition;
import io.shardmark.driver.verify.Condition.ExpectedSum;
import java.util.List;

/**
 * What the twelve conditions take for granted: the cardinalities of TPC-C 4.3.3.1, references
 * between tables (BenchmarkSQL's foreign keys may be left out) and value ranges. On an empty
 * database the twelve conditions would all pass; these do not.
 */
final class PopulationConditions {
  private PopulationConditions() {}

  static List<Condition> all(DatabaseKind kind) {
    String configured = configured(kind);
    return List.of(
        ofSums(
            "4.3.3.1",
            "WAREHOUSE has the ids 1 to the number of warehouses in bmsql_config",
            1,
            1,
            """
            SELECT configured, warehouses, expected_ids
              FROM @configured c
             CROSS JOIN (SELECT count(*) AS warehouses FROM bmsql_warehouse) w
             CROSS JOIN (SELECT count(DISTINCT w_id) AS expected_ids FROM bmsql_warehouse
                          WHERE w_id BETWEEN 1 AND @configured) e
            """
                .replace("@configured", configured),
            new ExpectedSum("warehouses", "configured"),
            new ExpectedSum("expected_ids", "configured")),
        always(
            "4.3.3.1",
            "ITEM has 100000 rows with the ids 1 to 100000",
            1,
            1,
            """
            SELECT count(*) AS items, min(i_id) AS lowest, max(i_id) AS highest
              FROM bmsql_item
            HAVING count(*) <> 100000 OR min(i_id) <> 1 OR max(i_id) <> 100000
            """),
        always(
            "4.3.3.1",
            "a warehouse has 10 DISTRICT rows and 100000 STOCK rows",
            5,
            1,
            """
            SELECT w_id, sum(w_found) AS warehouses, sum(district_count) AS district_count,
                   sum(stock_count) AS stock_count
              FROM (SELECT w_id, 1 AS w_found, 0 AS district_count, 0 AS stock_count
                      FROM bmsql_warehouse
                    UNION ALL
                    SELECT d_w_id, 0, count(*), 0 FROM bmsql_district GROUP BY d_w_id
                    UNION ALL
                    SELECT s_w_id, 0, 0, count(*) FROM bmsql_stock GROUP BY s_w_id) x
             GROUP BY w_id
            HAVING sum(w_found) <> 1 OR sum(district_count) <> 10 OR sum(stock_count) <> 100000
            """),
        always(
            "4.3.3.1",
            "a district has 3000 CUSTOMER rows",
            3,
            2,
            """
            SELECT w_id, d_id, sum(d_found) AS districts, sum(customer_count) AS customer_count
              FROM (SELECT d_w_id AS w_id, d_id, 1 AS d_found, 0 AS customer_count
                      FROM bmsql_district
                    UNION ALL
                    SELECT c_w_id, c_d_id, 0, count(*) FROM bmsql_customer
                     GROUP BY c_w_id, c_d_id) x
             GROUP BY w_id, d_id
            HAVING sum(d_found) <> 1 OR sum(customer_count) <> 3000
            """),
        afterLoad(
            "4.3.3.1",
            "a district has 3000 ORDER, 900 NEW-ORDER and 3000 HISTORY rows",
            4,
            2,
            """
            SELECT w_id, d_id, sum(order_count) AS order_count,
                   sum(new_order_count) AS new_order_count, sum(history_count) AS history_count
              FROM (SELECT d_w_id AS w_id, d_id, 0 AS order_count, 0 AS new_order_count,
                           0 AS history_count
                      FROM bmsql_district
                    UNION ALL
                    SELECT o_w_id, o_d_id, count(*), 0, 0 FROM bmsql_oorder
                     GROUP BY o_w_id, o_d_id
                    UNION ALL
                    SELECT no_w_id, no_d_id, 0, count(*), 0 FROM bmsql_new_order
                     GROUP BY no_w_id, no_d_id
                    UNION ALL
                    SELECT h_w_id, h_d_id, 0, 0, count(*) FROM bmsql_history
                     GROUP BY h_w_id, h_d_id) x
             GROUP BY w_id, d_id
            HAVING sum(order_count) <> 3000 OR sum(new_order_count) <> 900
                OR sum(history_count) <> 3000
            """),
        always(
            "2.4.1.3",
            "an order has 5 to 15 lines (O_OL_CNT)",
            2,
            3,
            """
            SELECT o_w_id, o_d_id, o_id, o_ol_cnt
              FROM bmsql_oorder
             WHERE o_ol_cnt IS NULL OR o_ol_cnt < 5 OR o_ol_cnt > 15
            """),
        always(
            "1.3.1",
            "an order has a CUSTOMER row",
            5,
            3,
            """
            SELECT o_w_id, o_d_id, o_id, o_c_id
              FROM bmsql_oorder
              LEFT JOIN bmsql_customer
                ON c_w_id = o_w_id AND c_d_id = o_d_id AND c_id = o_c_id
             WHERE c_id IS NULL
            """),
        // The supplying warehouse may be on another shard.
        always(
            "1.3.1",
            "a line has a number 1 to 15, an item 1 to 100000, a supplying warehouse and an amount",
            6,
            4,
            """
            SELECT ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity,
                   ol_amount
              FROM bmsql_order_line
             WHERE ol_supply_w_id IS NULL OR ol_supply_w_id < 1 OR ol_supply_w_id > @configured
                OR ol_number < 1 OR ol_number > 15 OR ol_i_id < 1 OR ol_i_id > 100000
                OR ol_quantity IS NULL OR ol_amount IS NULL
            """
                .replace("@configured", configured)),
        always(
                "2.4.2.2",
                "S_QUANTITY is 10 to 100",
                5,
                2,
                """
                SELECT s_w_id, s_i_id, s_quantity
                  FROM bmsql_stock
                 WHERE s_quantity IS NULL OR s_quantity < 10 OR s_quantity > 100
                """)
            .withHint("BenchmarkSQL's own driver refills without taking the order off: up to 110"),
        // The loader sets S_YTD and S_ORDER_CNT to 0 and gives each district the orders 1 to 3000,
        // so all later lines must have been added to the stock of their supplying warehouse.
        ofSums(
            "2.4.2.2",
            "sum(S_YTD), sum(S_ORDER_CNT) = sum(OL_QUANTITY), count of lines supplied since the load",
            7,
            1,
            """
            SELECT w_id, coalesce(sum(ytd), 0) AS sum_s_ytd,
                   coalesce(sum(quantity), 0) AS sum_ol_quantity,
                   coalesce(sum(order_cnt), 0) AS sum_s_order_cnt, sum(line_count) AS order_lines,
                   sum(nulls) AS nulls
              FROM (SELECT s_w_id AS w_id, sum(s_ytd) AS ytd, sum(s_order_cnt) AS order_cnt,
                           0 AS quantity, 0 AS line_count,
                           2 * count(*) - count(s_ytd) - count(s_order_cnt) AS nulls
                      FROM bmsql_stock GROUP BY s_w_id
                    UNION ALL
                    SELECT ol_supply_w_id, 0, 0, sum(ol_quantity), count(*),
                           count(*) - count(ol_quantity)
                      FROM bmsql_order_line WHERE ol_o_id > 3000 GROUP BY ol_supply_w_id) x
             GROUP BY w_id
            """,
            new ExpectedSum("sum_s_ytd", "sum_ol_quantity"),
            new ExpectedSum("sum_s_order_cnt", "order_lines"),
            ExpectedSum.of("nulls", 0)));
  }

  /** How many warehouses were loaded, a query; -1 if that is not known. Every shard has the row. */
  private static String configured(DatabaseKind kind) {
    // MySQL and MariaDB have no CAST to INTEGER.
    String integer =
        switch (kind) {
          case MYSQL, MARIADB -> "SIGNED";
          case POSTGRES, ORACLE, FIREBIRD -> "INTEGER";
        };
    return """
        (SELECT coalesce(max(CAST(cfg_value AS %s)), -1) AS configured
           FROM bmsql_config WHERE cfg_name = 'warehouses')"""
        .formatted(integer);
  }
}
