-- Takes away what foreignKeys and indexCreates added, the foreign keys first. Fails where a key is
-- missing: Oracle has no IF EXISTS for constraints.

alter table bmsql_district drop constraint d_warehouse_fkey;
alter table bmsql_customer drop constraint c_district_fkey;
alter table bmsql_history drop constraint h_customer_fkey;
alter table bmsql_history drop constraint h_district_fkey;
alter table bmsql_new_order drop constraint no_order_fkey;
alter table bmsql_oorder drop constraint o_customer_fkey;
alter table bmsql_order_line drop constraint ol_order_fkey;
alter table bmsql_order_line drop constraint ol_stock_fkey;
alter table bmsql_stock drop constraint s_warehouse_fkey;
alter table bmsql_stock drop constraint s_item_fkey;

alter table bmsql_warehouse drop constraint bmsql_warehouse_pkey;
alter table bmsql_district drop constraint bmsql_district_pkey;
alter table bmsql_customer drop constraint bmsql_customer_pkey;
alter table bmsql_oorder drop constraint bmsql_oorder_pkey;
alter table bmsql_new_order drop constraint bmsql_new_order_pkey;
alter table bmsql_order_line drop constraint bmsql_order_line_pkey;
alter table bmsql_stock drop constraint bmsql_stock_pkey;
alter table bmsql_item drop constraint bmsql_item_pkey;

drop index bmsql_customer_idx1;
drop index bmsql_oorder_idx1;
