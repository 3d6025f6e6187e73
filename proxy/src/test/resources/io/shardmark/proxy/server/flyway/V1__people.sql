create table person (id bigserial primary key, name varchar(100) not null, created timestamptz not null default now());
insert into person (name) values ('a'), ('b');
