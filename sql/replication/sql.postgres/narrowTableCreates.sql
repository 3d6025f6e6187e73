-- A table as published, c4 to c6 10 characters wide; its primary key follows after the load.

create table t${n} (
  c1   integer    not null,
  c2   char(10)   not null,
  c3   integer,
  c4   char(10),
  c5   char(10),
  c6   char(10),
  c7   char(10),
  c8   char(10),
  c9   integer,
  c10  date       default current_date
);
