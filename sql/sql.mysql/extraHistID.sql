-- Lets the database number new rows of bmsql_history: the column becomes the key and counts on from
-- the highest loaded number. MySQL names every primary key PRIMARY.

alter table bmsql_history
  modify hist_id integer not null auto_increment,
  add constraint bmsql_history_pkey primary key (hist_id);
