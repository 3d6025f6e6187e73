-- The table as published; its primary key follows after the load. Texts stay in the row and are
-- not compressed, as in a database without PostgreSQL's TOAST: two rows fit a page.

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
);

alter table tb_test1
  alter c2 set storage plain, alter c4 set storage plain, alter c5 set storage plain,
  alter c6 set storage plain, alter c7 set storage plain, alter c8 set storage plain;
