alter table t${n} add primary key (c1);
