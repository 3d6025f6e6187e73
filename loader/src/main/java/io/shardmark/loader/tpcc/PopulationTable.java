package io.shardmark.loader.tpcc;

import io.shardmark.loader.data.DataTable;

/**
 * The tables that the loader fills, each with the order in which its fields are written. That order
 * is the one of BenchmarkSQL's CSV files; it is used everywhere (COPY and INSERT name their
 * columns), so that one generator serves all writers.
 */
public enum PopulationTable {
  CONFIG("bmsql_config", "config.csv", "cfg_name:t cfg_value:t"),
  ITEM("bmsql_item", "item.csv", "i_id:i i_name:t i_price:d i_data:t i_im_id:i"),
  WAREHOUSE(
      "bmsql_warehouse",
      "warehouse.csv",
      "w_id:i w_ytd:d w_tax:d w_name:t w_street_1:t w_street_2:t w_city:t w_state:t w_zip:t"),
  DISTRICT(
      "bmsql_district",
      "district.csv",
      "d_id:i d_w_id:i d_ytd:d d_tax:d d_next_o_id:i d_name:t d_street_1:t d_street_2:t d_city:t"
          + " d_state:t d_zip:t"),
  STOCK(
      "bmsql_stock",
      "stock.csv",
      "s_i_id:i s_w_id:i s_quantity:i s_ytd:i s_order_cnt:i s_remote_cnt:i s_data:t s_dist_01:t"
          + " s_dist_02:t s_dist_03:t s_dist_04:t s_dist_05:t s_dist_06:t s_dist_07:t s_dist_08:t"
          + " s_dist_09:t s_dist_10:t"),
  CUSTOMER(
      "bmsql_customer",
      "customer.csv",
      "c_id:i c_d_id:i c_w_id:i c_discount:d c_credit:t c_last:t c_first:t c_credit_lim:d"
          + " c_balance:d c_ytd_payment:d c_payment_cnt:i c_delivery_cnt:i c_street_1:t"
          + " c_street_2:t c_city:t c_state:t c_zip:t c_phone:t c_since:ts c_middle:t c_data:t"),
  HISTORY(
      "bmsql_history",
      "cust-hist.csv",
      "hist_id:i h_c_id:i h_c_d_id:i h_c_w_id:i h_d_id:i h_w_id:i h_date:ts h_amount:d h_data:t"),
  ORDER(
      "bmsql_oorder",
      "order.csv",
      "o_id:i o_w_id:i o_d_id:i o_c_id:i o_carrier_id:i o_ol_cnt:i o_all_local:i o_entry_d:ts"),
  ORDER_LINE(
      "bmsql_order_line",
      "order-line.csv",
      "ol_w_id:i ol_d_id:i ol_o_id:i ol_number:i ol_i_id:i ol_delivery_d:ts ol_amount:d"
          + " ol_supply_w_id:i ol_quantity:i ol_dist_info:t"),
  NEW_ORDER("bmsql_new_order", "new-order.csv", "no_w_id:i no_d_id:i no_o_id:i");

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable values
  private final DataTable table;

  PopulationTable(String tableName, String fileName, String columns) {
    table = DataTable.of(tableName, fileName, columns);
  }

  /** As the loader's engine knows it. */
  public DataTable table() {
    return table;
  }

  /** The table of this name in the database. */
  static PopulationTable of(DataTable table) {
    for (PopulationTable one : values()) {
      if (one.table.equals(table)) {
        return one;
      }
    }
    throw new IllegalArgumentException("no table of TPC-C: " + table.name());
  }

  /**
   * The number of the table's random stream. From its name, so that rows stay the same when tables
   * are added.
   */
  int stream() {
    return table.name().hashCode();
  }
}
