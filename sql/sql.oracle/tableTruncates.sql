-- Empties all tables but bmsql_config. Oracle refuses to truncate a table that an enabled foreign
-- key refers to, even when the other table is empty; the keys are disabled meanwhile.

-- {
declare
  ddl_text varchar2(4000);
begin
  for k in (
    select table_name, constraint_name from user_constraints
    where constraint_type = 'R' and status = 'ENABLED' and table_name like 'BMSQL\_%' escape '\'
  ) loop
    ddl_text := 'alter table ' || k.table_name || ' disable constraint ' || k.constraint_name;
    execute immediate ddl_text;
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
declare
  ddl_text varchar2(4000);
begin
  for k in (
    select table_name, constraint_name from user_constraints
    where constraint_type = 'R' and status = 'DISABLED' and table_name like 'BMSQL\_%' escape '\'
  ) loop
    ddl_text := 'alter table ' || k.table_name || ' enable constraint ' || k.constraint_name;
    execute immediate ddl_text;
  end loop;
end;
-- }

