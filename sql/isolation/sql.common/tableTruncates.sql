truncate table isolation_list;
