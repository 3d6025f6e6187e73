-- The ten foreign keys of the schema, checked with statistics.

-- include sql.postgres/keyStatistics.sql
-- include sql.common/foreignKeys.sql
