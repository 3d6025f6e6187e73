-- The lists of workload=isolation, spread over the shards by the hash of their ids. The partitions
-- are added when this runs, so that it fits any number of shards; the endpoint is asked for its
-- shards once the first table is there.

create table isolation_shards (
  shard  integer
);

create table isolation_list (
  id    integer not null,
  vals  text not null
) partition by hash (id);

drop table isolation_shards;
