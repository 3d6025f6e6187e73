-- The lists of workload=isolation: each is a text of values that end with a comma.

create table isolation_list (
  id    integer not null,
  vals  text not null
);
