drop function if exists shardmark_tpcb(integer, integer, integer, integer, boolean, boolean);
