analyze table isolation_list;
