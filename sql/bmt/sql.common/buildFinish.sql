vacuum analyze tb_test1;
