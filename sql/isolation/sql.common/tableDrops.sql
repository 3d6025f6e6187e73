drop table isolation_list;
