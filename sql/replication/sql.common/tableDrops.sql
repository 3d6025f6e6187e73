drop table t${n};
