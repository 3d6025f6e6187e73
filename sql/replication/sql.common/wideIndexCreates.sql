alter table t${n} add primary key (c1, c2);
create index t${n}_idx on t${n} (c10);
