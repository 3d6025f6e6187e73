-- Lets the database number new rows of bmsql_history: the sequence is made anew to start past
-- the highest loaded number, a trigger fills the column, and the column becomes the key.

-- {
declare
  ddl_text varchar2(4000);
  first_id number;
begin
  select nvl(max(hist_id), 0) + 1 into first_id from bmsql_history;
  execute immediate 'drop sequence bmsql_hist_id_seq';
  ddl_text := 'create sequence bmsql_hist_id_seq start with ' || first_id;
  execute immediate ddl_text;
end;
-- }

-- {
create or replace trigger bmsql_history_before_insert
  before insert on bmsql_history
  for each row
begin
  if :new.hist_id is null then
    :new.hist_id := bmsql_hist_id_seq.nextval;
  end if;
end;
-- }

alter table bmsql_history add constraint bmsql_history_pkey
  primary key (hist_id);
