-- Takes away what foreignKeys and indexCreates added; primary keys belong to the tables. The foreign
-- keys go first; indexes that InnoDB made for them stay and serve again. Fails where a key is missing:
-- MySQL has no IF EXISTS here.

alter table bmsql_district drop foreign key d_warehouse_fkey;
alter table bmsql_customer drop foreign key c_district_fkey;
alter table bmsql_history drop foreign key h_customer_fkey;
alter table bmsql_history drop foreign key h_district_fkey;
alter table bmsql_new_order drop foreign key no_order_fkey;
alter table bmsql_oorder drop foreign key o_customer_fkey;
alter table bmsql_order_line drop foreign key ol_order_fkey;
alter table bmsql_order_line drop foreign key ol_stock_fkey;
alter table bmsql_stock drop foreign key s_warehouse_fkey;
alter table bmsql_stock drop foreign key s_item_fkey;

drop index bmsql_customer_idx1 on bmsql_customer;
drop index bmsql_oorder_idx1 on bmsql_oorder;
