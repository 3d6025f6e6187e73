truncate table t${n};
