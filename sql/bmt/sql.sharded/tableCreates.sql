-- The table as published, spread over the shards by the hash of c1. The partitions are added when
-- this runs, so that it fits any number of shards; the endpoint is asked for its shards once the
-- first table is there. Partitions keep PostgreSQL's TOAST.

create table bmt_shards (
  shard  integer
);

create table tb_test1 (
  c1   integer    not null,
  c2   char(500),
  c3   integer,
  c4   char(500),
  c5   char(500),
  c6   char(500),
  c7   char(500),
  c8   char(500),
  c9   integer,
  c10  date       default current_date
) partition by hash (c1);

drop table bmt_shards;
