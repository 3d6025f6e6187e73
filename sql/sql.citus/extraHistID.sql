-- Lets the database number new rows of bmsql_history: the sequence counts on from the highest loaded
-- number, becomes the column's default, and the column becomes the key, together with the column that
-- the rows are distributed by, as Citus asks of a key. Numbers are drawn where a statement is
-- planned: each worker that plans some has its own range.

select setval('bmsql_hist_id_seq', (select max(hist_id) from bmsql_history));

alter table bmsql_history
  alter column hist_id set default nextval('bmsql_hist_id_seq');

alter table bmsql_history add constraint bmsql_history_pkey
  primary key (hist_id, h_c_w_id);
