-- Empties all tables but bmsql_config. InnoDB refuses to truncate a table that a foreign key
-- refers to, so the checks are off in this session meanwhile.

set foreign_key_checks = 0;

truncate table bmsql_new_order;
truncate table bmsql_order_line;
truncate table bmsql_oorder;
truncate table bmsql_history;
truncate table bmsql_customer;
truncate table bmsql_stock;
truncate table bmsql_item;
truncate table bmsql_district;
truncate table bmsql_warehouse;

set foreign_key_checks = 1;
