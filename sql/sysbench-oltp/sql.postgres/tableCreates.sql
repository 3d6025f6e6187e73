-- A table of sysbench prepare; this script is run once for each.

create table sbtest${n} (
  id   serial,
  k    integer   default 0 not null,
  c    char(120) default '' not null,
  pad  char(60)  default '' not null
);
