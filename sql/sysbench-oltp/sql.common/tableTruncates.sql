truncate table sbtest${n};
