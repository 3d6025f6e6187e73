alter table team drop column size;
drop table member;
