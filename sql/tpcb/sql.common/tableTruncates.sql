truncate table pgbench_history;
truncate table pgbench_accounts;
truncate table pgbench_tellers;
truncate table pgbench_branches;
