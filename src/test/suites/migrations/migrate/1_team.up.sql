create table team (id serial primary key, name text unique, made timestamptz default now());
insert into team (name) values ('a'), ('b');
