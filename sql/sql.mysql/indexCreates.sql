-- The two further indexes. Primary keys are made with the tables; a table that a tableCreates of your
-- own left without one gets it here. MySQL has no IF NOT EXISTS for keys, so the catalog is asked.

create index bmsql_customer_idx1
  on bmsql_customer (c_w_id, c_d_id, c_last, c_first);

create unique index bmsql_oorder_idx1
  on bmsql_oorder (o_w_id, o_d_id, o_carrier_id, o_id);

set @keys = (select count(*) from information_schema.table_constraints
  where constraint_type = 'PRIMARY KEY' and table_schema = database() and table_name = 'bmsql_warehouse');
set @ddl = if(@keys > 0, 'do 0', 'alter table bmsql_warehouse add primary key (w_id)');
prepare make_key from @ddl;
execute make_key;

set @keys = (select count(*) from information_schema.table_constraints
  where constraint_type = 'PRIMARY KEY' and table_schema = database() and table_name = 'bmsql_district');
set @ddl = if(@keys > 0, 'do 0', 'alter table bmsql_district add primary key (d_w_id, d_id)');
prepare make_key from @ddl;
execute make_key;

set @keys = (select count(*) from information_schema.table_constraints
  where constraint_type = 'PRIMARY KEY' and table_schema = database() and table_name = 'bmsql_customer');
set @ddl = if(@keys > 0, 'do 0', 'alter table bmsql_customer add primary key (c_w_id, c_d_id, c_id)');
prepare make_key from @ddl;
execute make_key;

set @keys = (select count(*) from information_schema.table_constraints
  where constraint_type = 'PRIMARY KEY' and table_schema = database() and table_name = 'bmsql_oorder');
set @ddl = if(@keys > 0, 'do 0', 'alter table bmsql_oorder add primary key (o_w_id, o_d_id, o_id)');
prepare make_key from @ddl;
execute make_key;

set @keys = (select count(*) from information_schema.table_constraints
  where constraint_type = 'PRIMARY KEY' and table_schema = database() and table_name = 'bmsql_new_order');
set @ddl = if(@keys > 0, 'do 0', 'alter table bmsql_new_order add primary key (no_w_id, no_d_id, no_o_id)');
prepare make_key from @ddl;
execute make_key;

set @keys = (select count(*) from information_schema.table_constraints
  where constraint_type = 'PRIMARY KEY' and table_schema = database() and table_name = 'bmsql_order_line');
set @ddl = if(@keys > 0, 'do 0', 'alter table bmsql_order_line add primary key (ol_w_id, ol_d_id, ol_o_id, ol_number)');
prepare make_key from @ddl;
execute make_key;

set @keys = (select count(*) from information_schema.table_constraints
  where constraint_type = 'PRIMARY KEY' and table_schema = database() and table_name = 'bmsql_stock');
set @ddl = if(@keys > 0, 'do 0', 'alter table bmsql_stock add primary key (s_w_id, s_i_id)');
prepare make_key from @ddl;
execute make_key;

set @keys = (select count(*) from information_schema.table_constraints
  where constraint_type = 'PRIMARY KEY' and table_schema = database() and table_name = 'bmsql_item');
set @ddl = if(@keys > 0, 'do 0', 'alter table bmsql_item add primary key (i_id)');
prepare make_key from @ddl;
execute make_key;

deallocate prepare make_key;
