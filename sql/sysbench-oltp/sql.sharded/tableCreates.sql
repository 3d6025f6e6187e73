-- A table of sysbench, spread over the shards by the hash of id; this script is run once for each.
-- ids come from the client: no sequence reaches over shards (sysbench calls that --auto_inc=off).
-- The partitions are added when this runs, so that it fits any number of shards; the endpoint is
-- asked for its shards once the first table is there.

create table sbtest_shards (
  shard  integer
);

create table sbtest${n} (
  id   integer   not null,
  k    integer   default 0 not null,
  c    char(120) default '' not null,
  pad  char(60)  default '' not null
) partition by hash (id);

drop table sbtest_shards;
