vacuum analyze sbtest${n};
