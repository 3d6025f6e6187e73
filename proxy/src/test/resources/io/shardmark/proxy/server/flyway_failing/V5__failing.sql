create table halfway (id serial primary key, at timestamptz default now());
insert into halfway default values;
update orders set paid = false;
alter table person add column missing no_such_type;
