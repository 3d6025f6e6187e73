package io.shardmark.driver.tpcc;

import java.util.List;

/**
 * How rows come back to the state after the load (TPC-C 4.3.3.1) once transactions have changed
 * them. Each statement may be sent again. What a load draws and transactions overwrite stays as
 * they left it: S_QUANTITY, and C_DATA of customers with bad credit. A loaded row of HISTORY is
 * known by its amount, which a Payment has once in 500,000 times too; the conditions of a load find
 * that.
 */
final class TpccReset {
  static final List<String> STATEMENTS =
      List.of(
          "DELETE FROM bmsql_order_line WHERE ol_o_id > 3000",
          "DELETE FROM bmsql_new_order",
          "DELETE FROM bmsql_oorder WHERE o_id > 3000",
          "INSERT INTO bmsql_new_order (no_w_id, no_d_id, no_o_id)"
              + " SELECT o_w_id, o_d_id, o_id FROM bmsql_oorder WHERE o_id > 2100",
          "UPDATE bmsql_oorder SET o_carrier_id = NULL"
              + " WHERE o_id > 2100 AND o_carrier_id IS NOT NULL",
          "UPDATE bmsql_order_line SET ol_delivery_d = NULL"
              + " WHERE ol_o_id > 2100 AND ol_delivery_d IS NOT NULL",
          "DELETE FROM bmsql_history WHERE h_amount <> 10.00",
          "UPDATE bmsql_warehouse SET w_ytd = 300000.00",
          "UPDATE bmsql_district SET d_ytd = 30000.00, d_next_o_id = 3001",
          "UPDATE bmsql_customer SET c_balance = -10.00, c_ytd_payment = 10.00, c_payment_cnt = 1,"
              + " c_delivery_cnt = 0 WHERE c_payment_cnt <> 1 OR c_delivery_cnt <> 0",
          "UPDATE bmsql_stock SET s_ytd = 0, s_order_cnt = 0, s_remote_cnt = 0"
              + " WHERE s_order_cnt <> 0");

  private TpccReset() {}
}
