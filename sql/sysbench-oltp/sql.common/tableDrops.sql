drop table sbtest${n};
