-- Statistics for the optimizer, of tables, columns and indexes, before the first measured statement.
-- By name: a schema can have other tables.

-- {
begin
  for t in (
    select table_name from user_tables
    where table_name in (
      'BMSQL_CONFIG',
      'BMSQL_WAREHOUSE',
      'BMSQL_DISTRICT',
      'BMSQL_CUSTOMER',
      'BMSQL_HISTORY',
      'BMSQL_NEW_ORDER',
      'BMSQL_OORDER',
      'BMSQL_ORDER_LINE',
      'BMSQL_ITEM',
      'BMSQL_STOCK'
    )
  ) loop
    dbms_stats.gather_table_stats(ownname => user, tabname => t.table_name, cascade => true);
  end loop;
end;
-- }
