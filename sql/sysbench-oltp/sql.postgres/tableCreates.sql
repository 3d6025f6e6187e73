-- The tables of sysbench prepare. ${n} stands for 1 to the number of tables, one statement for each.

create table sbtest${n} (
  id   serial,
  k    integer   default 0 not null,
  c    char(120) default '' not null,
  pad  char(60)  default '' not null
);
