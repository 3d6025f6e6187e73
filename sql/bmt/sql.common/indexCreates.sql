alter table tb_test1 add primary key (c1);
create index tb_test1_idx on tb_test1 (c1, c3);
