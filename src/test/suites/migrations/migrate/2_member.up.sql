begin;
create table member (team int not null references team on delete cascade, name text);
insert into member select id, name from team;
alter table team add column size int not null default 0;
update team set size = 1, made = now();
commit;
