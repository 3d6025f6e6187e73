-- The tables of pgbench -i, with its fill factor of 100 percent.

create table pgbench_branches (
  bid       integer not null,
  bbalance  integer,
  filler    char(88)
) with (fillfactor = 100);

create table pgbench_tellers (
  tid       integer not null,
  bid       integer,
  tbalance  integer,
  filler    char(84)
) with (fillfactor = 100);

create table pgbench_accounts (
  aid       integer not null,
  bid       integer,
  abalance  integer,
  filler    char(84)
) with (fillfactor = 100);

create table pgbench_history (
  tid     integer,
  bid     integer,
  aid     integer,
  delta   integer,
  mtime   timestamp,
  filler  char(22)
);
