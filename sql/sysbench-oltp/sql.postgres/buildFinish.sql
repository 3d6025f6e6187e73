-- The next id that sysbench oltp_insert takes.

select setval('sbtest${n}_id_seq', (select max(id) from sbtest${n}));

vacuum analyze sbtest${n};
