-- Drops what storedProcedureCreates made; what is not there is passed over.

-- {
declare
  ddl_text varchar2(4000);
begin
  for o in (
    select object_type, object_name from user_objects
    where (object_type = 'PACKAGE' and object_name = 'TPCCC_ORACLE')
      or (object_type = 'TYPE' and object_name = 'BMSQL_INT_ARRAY')
    order by object_type
  ) loop
    ddl_text := 'drop ' || o.object_type || ' ' || o.object_name;
    execute immediate ddl_text;
  end loop;
end;
-- }
