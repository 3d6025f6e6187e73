-- The tables of pgbench with 64-bit integers and fillers of 72, 80 and 72 characters
-- (tpcbTables=bigint), each spread over the shards by the hash of its own id, so that a
-- transaction usually writes on several of them. A row of the history is where its teller is.
-- The partitions are added when this runs, so that it fits any number of shards; the endpoint is
-- asked for its shards once the first table is there.

create table pgbench_shards (
  shard  integer
);

create table pgbench_branches (
  bid       bigint not null,
  bbalance  bigint,
  filler    char(80)
) partition by hash (bid);

create table pgbench_tellers (
  tid       bigint not null,
  bid       bigint,
  tbalance  bigint,
  filler    char(72)
) partition by hash (tid);

create table pgbench_accounts (
  aid       bigint not null,
  bid       bigint,
  abalance  bigint,
  filler    char(72)
) partition by hash (aid);

create table pgbench_history (
  tid     bigint,
  bid     bigint,
  aid     bigint,
  delta   integer,
  mtime   timestamp,
  filler  char(22)
) partition by hash (tid);

drop table pgbench_shards;
