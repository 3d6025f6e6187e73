package io.shardmark.driver.tpcc.conditions;

import io.shardmark.driver.verify.Condition;
import io.shardmark.driver.verify.CrossShardCondition;
import java.math.BigDecimal;
import java.util.List;

/**
 * The conditions whose rows may lie on two shards, as {@link ConsistencyConditions} and {@link
 * PopulationConditions} have them for one server: a history row is where its customer is, and an
 * order line where its order is, not where its stock is.
 */
final class CrossShardConditions {
  private CrossShardConditions() {}

  static List<CrossShardCondition> all(int shards) {
    return List.of(
        new CrossShardCondition(
            "3.3.2.8",
            "W_YTD = sum(H_AMOUNT) of the warehouse",
            """
        SELECT w_id, coalesce(sum(w_ytd), 0) AS w_ytd, coalesce(sum(h_amount), 0) AS sum_h_amount,
               sum(w_found) AS warehouses, sum(nulls) AS nulls
          FROM (SELECT w_id, w_ytd, 0 AS h_amount, 1 AS w_found,
                       (w_ytd IS NULL)::integer AS nulls
                  FROM bmsql_warehouse
                UNION ALL
                SELECT h_w_id, 0, sum(h_amount), 0, count(*) - count(h_amount)
                  FROM bmsql_history GROUP BY h_w_id) x
         GROUP BY w_id
        """,
            1,
            CrossShardConditions::isYtdBroken),
        new CrossShardCondition(
            "3.3.2.9",
            "D_YTD = sum(H_AMOUNT) of the district",
            """
            SELECT w_id, d_id, coalesce(sum(d_ytd), 0) AS d_ytd,
                   coalesce(sum(h_amount), 0) AS sum_h_amount, sum(d_found) AS districts,
                   sum(nulls) AS nulls
              FROM (SELECT d_w_id AS w_id, d_id, d_ytd, 0 AS h_amount, 1 AS d_found,
                           (d_ytd IS NULL)::integer AS nulls
                      FROM bmsql_district
                    UNION ALL
                    SELECT h_w_id, h_d_id, 0, sum(h_amount), 0, count(*) - count(h_amount)
                      FROM bmsql_history GROUP BY h_w_id, h_d_id) x
             GROUP BY w_id, d_id
            """,
            2,
            CrossShardConditions::isYtdBroken),
        warehousesAsConfigured(shards),
        new CrossShardCondition(
            "2.4.2.2",
            "sum(S_YTD), sum(S_ORDER_CNT) = sum(OL_QUANTITY), count of lines supplied since the load",
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
            1,
            figures ->
                differ(figures[0], figures[1])
                    || differ(figures[2], figures[3])
                    || figures[4].signum() != 0));
  }

  /** Figures: amount kept, amounts summed up, rows that keep it, nulls. */
  private static boolean isYtdBroken(BigDecimal[] figures) {
    return differ(figures[0], figures[1])
        || differ(figures[2], BigDecimal.ONE)
        || figures[3].signum() != 0;
  }

  /** Every shard has bmsql_config, so its number comes once from each. */
  private static CrossShardCondition warehousesAsConfigured(int shards) {
    return new CrossShardCondition(
        "4.3.3.1",
        "WAREHOUSE has the ids 1 to the number of warehouses in bmsql_config",
        """
        SELECT coalesce(max(configured), 0) AS sum_of_configured,
               count(DISTINCT w_id) AS warehouses,
               count(DISTINCT w_id) FILTER (WHERE w_id BETWEEN 1 AND configured) AS expected_ids
          FROM (SELECT max(cfg_value::integer) AS configured
                  FROM bmsql_config WHERE cfg_name = 'warehouses') c
          LEFT JOIN bmsql_warehouse ON true
        """,
        0,
        figures ->
            figures[1].signum() == 0
                || differ(figures[0], figures[1].multiply(BigDecimal.valueOf(shards)))
                || differ(figures[1], figures[2]));
  }

  /**
   * Asked of each shard. The supplying warehouse may be on another one: it exists if its number is
   * one of those that {@link #warehousesAsConfigured} finds complete.
   */
  static Condition orderLineValues() {
    return Condition.always(
        "1.3.1",
        "a line has a number 1 to 15, an item 1 to 100000, a supplying warehouse and an amount",
        6,
        4,
        """
        SELECT ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity,
               ol_amount
          FROM bmsql_order_line
         WHERE ol_supply_w_id IS NULL OR ol_supply_w_id < 1
            OR ol_supply_w_id > (SELECT max(cfg_value::integer)
                                   FROM bmsql_config WHERE cfg_name = 'warehouses')
            OR ol_number < 1 OR ol_number > 15 OR ol_i_id < 1 OR ol_i_id > 100000
            OR ol_quantity IS NULL OR ol_amount IS NULL
        """);
  }

  private static boolean differ(BigDecimal a, BigDecimal b) {
    return a.compareTo(b) != 0;
  }
}
