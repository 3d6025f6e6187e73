-- Empties all tables but bmsql_config. One statement, because PostgreSQL lets tables that refer to
-- each other be truncated together only.

truncate table
  bmsql_new_order,
  bmsql_order_line,
  bmsql_oorder,
  bmsql_history,
  bmsql_customer,
  bmsql_stock,
  bmsql_item,
  bmsql_district,
  bmsql_warehouse;
