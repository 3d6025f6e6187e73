-- Drops tables and sequence; what is not there is passed over. DROP ... IF EXISTS came with
-- Oracle 23ai only, so a block asks the catalog. A drop that fails for another reason still fails.
-- bmsql_load_progress is what an interrupted load leaves.

-- {
declare
  ddl_text varchar2(4000);
begin
  for t in (
    select table_name from user_tables
    where table_name in (
      'BMSQL_LOAD_PROGRESS',
      'BMSQL_CONFIG',
      'BMSQL_NEW_ORDER',
      'BMSQL_ORDER_LINE',
      'BMSQL_OORDER',
      'BMSQL_HISTORY',
      'BMSQL_CUSTOMER',
      'BMSQL_STOCK',
      'BMSQL_ITEM',
      'BMSQL_DISTRICT',
      'BMSQL_WAREHOUSE'
    )
  ) loop
    ddl_text := 'drop table ' || t.table_name || ' cascade constraints purge';
    execute immediate ddl_text;
  end loop;
end;
-- }

-- {
declare
  ddl_text varchar2(4000);
begin
  for s in (
    select sequence_name from user_sequences where sequence_name = 'BMSQL_HIST_ID_SEQ'
  ) loop
    ddl_text := 'drop sequence ' || s.sequence_name;
    execute immediate ddl_text;
  end loop;
end;
-- }

