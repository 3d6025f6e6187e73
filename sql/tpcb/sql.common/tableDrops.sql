drop table pgbench_history;
drop table pgbench_accounts;
drop table pgbench_tellers;
drop table pgbench_branches;
