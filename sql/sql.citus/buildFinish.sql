-- Statistics for the planner, and visibility maps, before the first measured statement. By name: what
-- names no table may stay on the coordinator.

vacuum analyze bmsql_config, bmsql_warehouse, bmsql_district, bmsql_customer, bmsql_history,
  bmsql_new_order, bmsql_oorder, bmsql_order_line, bmsql_item, bmsql_stock;
