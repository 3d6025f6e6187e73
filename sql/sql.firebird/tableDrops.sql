-- Drops tables and generator; what is not there is passed over. Firebird has no DROP ... IF EXISTS
-- before version 6, so each block asks the catalog first. bmsql_load_progress is what an interrupted load
-- leaves.

execute block as
begin
  if (exists (select 1 from rdb$relations where rdb$relation_name = 'BMSQL_LOAD_PROGRESS')) then
    execute statement 'drop table bmsql_load_progress'\;
end;

execute block as
begin
  if (exists (select 1 from rdb$relations where rdb$relation_name = 'BMSQL_CONFIG')) then
    execute statement 'drop table bmsql_config'\;
end;

execute block as
begin
  if (exists (select 1 from rdb$relations where rdb$relation_name = 'BMSQL_NEW_ORDER')) then
    execute statement 'drop table bmsql_new_order'\;
end;

execute block as
begin
  if (exists (select 1 from rdb$relations where rdb$relation_name = 'BMSQL_ORDER_LINE')) then
    execute statement 'drop table bmsql_order_line'\;
end;

execute block as
begin
  if (exists (select 1 from rdb$relations where rdb$relation_name = 'BMSQL_OORDER')) then
    execute statement 'drop table bmsql_oorder'\;
end;

execute block as
begin
  if (exists (select 1 from rdb$relations where rdb$relation_name = 'BMSQL_HISTORY')) then
    execute statement 'drop table bmsql_history'\;
end;

execute block as
begin
  if (exists (select 1 from rdb$relations where rdb$relation_name = 'BMSQL_CUSTOMER')) then
    execute statement 'drop table bmsql_customer'\;
end;

execute block as
begin
  if (exists (select 1 from rdb$relations where rdb$relation_name = 'BMSQL_STOCK')) then
    execute statement 'drop table bmsql_stock'\;
end;

execute block as
begin
  if (exists (select 1 from rdb$relations where rdb$relation_name = 'BMSQL_ITEM')) then
    execute statement 'drop table bmsql_item'\;
end;

execute block as
begin
  if (exists (select 1 from rdb$relations where rdb$relation_name = 'BMSQL_DISTRICT')) then
    execute statement 'drop table bmsql_district'\;
end;

execute block as
begin
  if (exists (select 1 from rdb$relations where rdb$relation_name = 'BMSQL_WAREHOUSE')) then
    execute statement 'drop table bmsql_warehouse'\;
end;

execute block as
begin
  if (exists (select 1 from rdb$generators where rdb$generator_name = 'BMSQL_HIST_ID_SEQ')) then
    execute statement 'drop sequence bmsql_hist_id_seq'\;
end;
