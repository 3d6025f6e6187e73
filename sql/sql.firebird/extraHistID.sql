-- Lets the database number new rows of bmsql_history. Firebird has no sequence defaults, so a
-- trigger does it; rows that come with a number keep it. SET GENERATOR means the same in all
-- versions, ALTER SEQUENCE ... RESTART does not.

execute block as
  declare last_id integer\;
begin
  select coalesce(max(hist_id), 0) from bmsql_history into :last_id\;
  execute statement 'set generator bmsql_hist_id_seq to ' || last_id\;
end;

create trigger bmsql_hist_id_gen for bmsql_history
active before insert position 0
as
begin
  if (new.hist_id is null) then
    new.hist_id = gen_id(bmsql_hist_id_seq, 1)\;
end;

create unique index bmsql_history_idx1 on bmsql_history (hist_id);
