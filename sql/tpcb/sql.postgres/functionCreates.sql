-- A whole transaction for statements=function. A row that should be there and is not fails it.

create or replace function shardmark_tpcb(
  in_aid integer, in_tid integer, in_bid integer, in_delta integer,
  in_updates_all boolean, in_inserts_history boolean
) returns integer as
$$
declare
  balance integer;
begin
  update pgbench_accounts set abalance = abalance + in_delta where aid = in_aid
    returning abalance into strict balance;
  if in_updates_all then
    update pgbench_tellers set tbalance = tbalance + in_delta where tid = in_tid;
    if not found then
      raise no_data_found using message = format('teller %s not found', in_tid);
    end if;
    update pgbench_branches set bbalance = bbalance + in_delta where bid = in_bid;
    if not found then
      raise no_data_found using message = format('branch %s not found', in_bid);
    end if;
  end if;
  if in_inserts_history then
    insert into pgbench_history (tid, bid, aid, delta, mtime)
      values (in_tid, in_bid, in_aid, in_delta, current_timestamp);
  end if;
  return balance;
end;
$$
language plpgsql;
