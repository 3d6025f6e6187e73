-- Drops tables and sequence; what is not there is passed over.
-- Tables that refer to others go first. bmsql_load_progress is what an interrupted load leaves.

drop table if exists bmsql_load_progress;
drop table if exists bmsql_config;
drop table if exists bmsql_new_order;
drop table if exists bmsql_order_line;
drop table if exists bmsql_oorder;
drop table if exists bmsql_history;
drop table if exists bmsql_customer;
drop table if exists bmsql_stock;
drop table if exists bmsql_item;
drop table if exists bmsql_district;
drop table if exists bmsql_warehouse;

drop sequence if exists bmsql_hist_id_seq;
