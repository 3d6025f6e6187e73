-- Takes away what foreignKeys and indexCreates added. The foreign keys go first: they need the
-- primary keys. The key of bmsql_history belongs to extraHistID and stays.

alter table bmsql_district drop constraint if exists d_warehouse_fkey;
alter table bmsql_customer drop constraint if exists c_district_fkey;
alter table bmsql_history drop constraint if exists h_customer_fkey;
alter table bmsql_history drop constraint if exists h_district_fkey;
alter table bmsql_new_order drop constraint if exists no_order_fkey;
alter table bmsql_oorder drop constraint if exists o_customer_fkey;
alter table bmsql_order_line drop constraint if exists ol_order_fkey;
alter table bmsql_order_line drop constraint if exists ol_stock_fkey;
alter table bmsql_stock drop constraint if exists s_warehouse_fkey;
alter table bmsql_stock drop constraint if exists s_item_fkey;

alter table bmsql_warehouse drop constraint if exists bmsql_warehouse_pkey;
alter table bmsql_district drop constraint if exists bmsql_district_pkey;
alter table bmsql_customer drop constraint if exists bmsql_customer_pkey;
alter table bmsql_oorder drop constraint if exists bmsql_oorder_pkey;
alter table bmsql_new_order drop constraint if exists bmsql_new_order_pkey;
alter table bmsql_order_line drop constraint if exists bmsql_order_line_pkey;
alter table bmsql_stock drop constraint if exists bmsql_stock_pkey;
alter table bmsql_item drop constraint if exists bmsql_item_pkey;

drop index if exists bmsql_customer_idx1;
drop index if exists bmsql_oorder_idx1;
