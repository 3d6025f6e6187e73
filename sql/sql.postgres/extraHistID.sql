-- Lets the database number new rows of bmsql_history: the sequence counts on from the highest loaded
-- number, becomes the column's default, and the column becomes the key.

select setval('bmsql_hist_id_seq', (select max(hist_id) from bmsql_history));

alter table bmsql_history
  alter column hist_id set default nextval('bmsql_hist_id_seq');

alter table bmsql_history add primary key (hist_id);
