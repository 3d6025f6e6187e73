-- Empties all tables but bmsql_config. Oracle refuses to truncate a table that an enabled foreign
-- key refers to, even when the other table is empty; the keys are disabled meanwhile.

-- {
begin
  for k in (
    select table_name, constraint_name from user_constraints
    where constraint_type = 'R' and status = 'ENABLED' and table_name like 'BMSQL\_%' escape '\'
  ) loop
    execute immediate 'alter table ' || k.table_name || ' disable constraint ' || k.constraint_name;
  end loop;
end;
-- }

truncate table bmsql_new_order;
truncate table bmsql_order_line;
truncate table bmsql_oorder;
truncate table bmsql_history;
truncate table bmsql_customer;
truncate table bmsql_stock;
truncate table bmsql_item;
truncate table bmsql_district;
truncate table bmsql_warehouse;

-- {
begin
  for k in (
    select table_name, constraint_name from user_constraints
    where constraint_type = 'R' and status = 'DISABLED' and table_name like 'BMSQL\_%' escape '\'
  ) loop
    execute immediate 'alter table ' || k.table_name || ' enable constraint ' || k.constraint_name;
  end loop;
end;
-- }

