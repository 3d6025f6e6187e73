-- Fresh statistics for the optimizer.

analyze table
  bmsql_warehouse,
  bmsql_district,
  bmsql_item,
  bmsql_stock,
  bmsql_customer,
  bmsql_history,
  bmsql_oorder,
  bmsql_order_line,
  bmsql_new_order,
  bmsql_config;
