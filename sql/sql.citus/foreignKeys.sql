-- Citus permits the foreign keys whose ends are in the same shard, or whose other end is a reference
-- table: the same eight as over the shards of a proxy.

-- include sql.sharded/foreignKeys.sql
