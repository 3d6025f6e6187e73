vacuum analyze isolation_list;
