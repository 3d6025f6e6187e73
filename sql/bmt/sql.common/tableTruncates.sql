truncate table tb_test1;
