drop table tb_test1;
