-- +goose Up
create table stamp (id serial primary key, at timestamptz default now());
insert into stamp default values;
-- +goose Down
drop table stamp;
