alter table sbtest${n} add primary key (id);
