alter table person add column updated timestamp default current_timestamp;
create index person_name on person (name);
create view names as select name from person;
update person set updated = now() where name = 'a';
