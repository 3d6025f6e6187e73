-- The tables of sysbench, spread over the shards by the hash of id. ids come from the client: no
-- sequence reaches over shards (sysbench calls that --auto_inc=off). ${n} stands for 1 to the number
-- of tables. The partitions are added when this runs, so that it fits any number of shards.

create table sbtest${n} (
  id   integer   not null,
  k    integer   default 0 not null,
  c    char(120) default '' not null,
  pad  char(60)  default '' not null
) partition by hash (id);
