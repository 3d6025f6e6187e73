-- The table of test bed B as published, with c1 alone as its key; the primary key follows after the load.

create table t${n} (
  c1   integer    not null,
  c2   char(10),
  c3   integer,
  c4   char(10),
  c5   char(10),
  c6   char(10),
  c7   char(10),
  c8   char(10),
  c9   integer,
  c10  date       default current_date
);
