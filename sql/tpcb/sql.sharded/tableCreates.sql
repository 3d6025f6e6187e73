-- The tables of pgbench, each spread over the shards by the hash of its id, so that a
-- transaction usually writes on several of them. A row of the history is where its teller is.
-- The partitions are added when this runs, so that it fits any number of shards; the endpoint is
-- asked for its shards once the first table is there.

create table pgbench_shards (
  shard  integer
);

create table pgbench_branches (
  bid       integer not null,
  bbalance  integer,
  filler    char(88)
) partition by hash (bid);

create table pgbench_tellers (
  tid       integer not null,
  bid       integer,
  tbalance  integer,
  filler    char(84)
) partition by hash (tid);

create table pgbench_accounts (
  aid       integer not null,
  bid       integer,
  abalance  integer,
  filler    char(84)
) partition by hash (aid);

create table pgbench_history (
  tid     integer,
  bid     integer,
  aid     integer,
  delta   integer,
  mtime   timestamp,
  filler  char(22)
) partition by hash (tid);

drop table pgbench_shards;
