-- Empties all tables but bmsql_config. Works while no foreign keys are there.

truncate table bmsql_new_order;
truncate table bmsql_order_line;
truncate table bmsql_oorder;
truncate table bmsql_history;
truncate table bmsql_customer;
truncate table bmsql_stock;
truncate table bmsql_item;
truncate table bmsql_district;
truncate table bmsql_warehouse;
