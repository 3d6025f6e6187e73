-- The tables of pgbench with 64-bit integers and the fillers of 72, 80 and 72 characters that a
-- published test of distributed transactions had (tpcbTables=bigint).

create table pgbench_branches (
  bid       bigint not null,
  bbalance  bigint,
  filler    char(80)
) with (fillfactor = 100);

create table pgbench_tellers (
  tid       bigint not null,
  bid       bigint,
  tbalance  bigint,
  filler    char(72)
) with (fillfactor = 100);

create table pgbench_accounts (
  aid       bigint not null,
  bid       bigint,
  abalance  bigint,
  filler    char(72)
) with (fillfactor = 100);

create table pgbench_history (
  tid     bigint,
  bid     bigint,
  aid     bigint,
  delta   integer,
  mtime   timestamp,
  filler  char(22)
);
