drop table team;
