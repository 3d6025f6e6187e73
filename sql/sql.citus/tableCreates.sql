-- The tables of sql.common, distributed over the workers of Citus by the warehouse, all in one group
-- of colocated tables. A row of bmsql_history is where its customer is. bmsql_config and bmsql_item
-- are reference tables: whole on every node. How many shards a table gets says citus.shard_count.
-- hist_id is bigint from the start: a worker that numbers rows itself begins at 281474976710657.

-- include sql.common/tableCreates.sql

alter table bmsql_history alter column hist_id type bigint;

select create_reference_table('bmsql_config');
select create_reference_table('bmsql_item');
select create_distributed_table('bmsql_warehouse', 'w_id');
select create_distributed_table('bmsql_district', 'd_w_id', colocate_with => 'bmsql_warehouse');
select create_distributed_table('bmsql_customer', 'c_w_id', colocate_with => 'bmsql_warehouse');
select create_distributed_table('bmsql_history', 'h_c_w_id', colocate_with => 'bmsql_warehouse');
select create_distributed_table('bmsql_new_order', 'no_w_id', colocate_with => 'bmsql_warehouse');
select create_distributed_table('bmsql_oorder', 'o_w_id', colocate_with => 'bmsql_warehouse');
select create_distributed_table('bmsql_order_line', 'ol_w_id', colocate_with => 'bmsql_warehouse');
select create_distributed_table('bmsql_stock', 's_w_id', colocate_with => 'bmsql_warehouse');
