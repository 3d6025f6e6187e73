alter table isolation_list add primary key (id);
