package io.shardmark.driver.dbstats;

import static io.shardmark.driver.dbstats.FigureGroup.FigureKind.COUNTER;
import static io.shardmark.driver.dbstats.FigureGroup.FigureKind.LEVEL;
import static io.shardmark.driver.dbstats.FigureGroup.FigureKind.SIZE;
import static io.shardmark.driver.dbstats.FigureGroup.FigureLayout.NAME_AND_VALUE;
import static io.shardmark.driver.dbstats.FigureGroup.FigureLayout.ONE_ROW;

import io.shardmark.config.DatabaseKind;
import java.util.List;

/** Which figures a server offers, by its kind and version. */
final class ServerFigures {
  private static final int WAL_VIEW = 14;
  private static final int CHECKPOINTER_VIEW = 17;

  private ServerFigures() {}

  /**
   * @param majorVersion of the server; only PostgreSQL's matters
   * @return no group if nothing is known of this kind of server
   */
  static List<FigureGroup> of(DatabaseKind kind, int majorVersion) {
    return switch (kind) {
      case POSTGRES -> postgres(majorVersion);
      case MYSQL, MARIADB -> mysql();
      case ORACLE -> oracle();
      case FIREBIRD -> List.of();
    };
  }

  private static List<FigureGroup> postgres(int majorVersion) {
    return List.of(
        new FigureGroup(
            COUNTER,
            ONE_ROW,
            """
            SELECT xact_commit, xact_rollback, deadlocks, blks_hit, blks_read, tup_returned,
                   tup_fetched, tup_inserted, tup_updated, tup_deleted, temp_bytes
              FROM pg_stat_database WHERE datname = current_database()
            """),
        new FigureGroup(
            COUNTER,
            ONE_ROW,
            majorVersion >= WAL_VIEW
                ? "SELECT wal_records, wal_fpi, wal_bytes FROM pg_stat_wal"
                : "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS wal_bytes"),
        new FigureGroup(
            COUNTER,
            ONE_ROW,
            majorVersion >= CHECKPOINTER_VIEW
                ? """
                SELECT num_timed AS checkpoints_timed, num_requested AS checkpoints_requested,
                       buffers_written AS buffers_checkpoint
                  FROM pg_stat_checkpointer
                """
                : """
                SELECT checkpoints_timed, checkpoints_req AS checkpoints_requested,
                       buffers_checkpoint
                  FROM pg_stat_bgwriter
                """),
        new FigureGroup(
            LEVEL, ONE_ROW, "SELECT count(*) AS lock_waiters FROM pg_locks WHERE NOT granted"),
        new FigureGroup(
            LEVEL,
            ONE_ROW,
            """
            SELECT count(*) AS active_sessions
              FROM pg_stat_activity
             WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()
            """),
        // Of a server without standbys there is no row, and so no column. The time is PostgreSQL's.
        new FigureGroup(
            LEVEL,
            ONE_ROW,
            """
            SELECT coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)), 0)
                     AS replay_lag_bytes,
                   coalesce(max(round(extract(epoch FROM replay_lag) * 1000)), 0) AS replay_lag_ms
              FROM pg_stat_replication HAVING count(*) > 0
            """),
        new FigureGroup(
            SIZE,
            ONE_ROW,
            """
            SELECT coalesce(sum(pg_total_relation_size(relid)), 0) AS relation_bytes
              FROM pg_stat_user_tables
            """));
  }

  /** MariaDB has no innodb_rows_... since 10.6; the handler_... are in both. */
  private static List<FigureGroup> mysql() {
    return List.of(
        new FigureGroup(
            COUNTER,
            NAME_AND_VALUE,
            """
            SHOW GLOBAL STATUS WHERE variable_name IN (
              'Com_commit', 'Com_rollback', 'Questions', 'Handler_commit',
              'Handler_read_key', 'Handler_read_next', 'Handler_write', 'Handler_update',
              'Handler_delete',
              'Innodb_rows_read', 'Innodb_rows_inserted', 'Innodb_rows_updated',
              'Innodb_rows_deleted', 'Innodb_buffer_pool_read_requests',
              'Innodb_buffer_pool_reads', 'Innodb_data_read', 'Innodb_data_written',
              'Innodb_data_fsyncs', 'Innodb_os_log_written', 'Innodb_log_waits',
              'Innodb_row_lock_waits', 'Innodb_row_lock_time', 'Innodb_deadlocks')
            """),
        new FigureGroup(
            LEVEL,
            NAME_AND_VALUE,
            """
            SHOW GLOBAL STATUS WHERE variable_name IN (
              'Innodb_row_lock_current_waits', 'Threads_running', 'Threads_connected')
            """),
        new FigureGroup(
            SIZE,
            ONE_ROW,
            """
            SELECT coalesce(sum(data_length + index_length), 0) AS relation_bytes
              FROM information_schema.tables WHERE table_schema = database()
            """));
  }

  private static List<FigureGroup> oracle() {
    return List.of(
        new FigureGroup(
            COUNTER,
            NAME_AND_VALUE,
            """
            SELECT name, value FROM v$sysstat WHERE name IN (
              'user commits', 'user rollbacks', 'execute count', 'redo entries', 'redo size',
              'redo writes', 'physical reads', 'physical writes', 'db block gets',
              'consistent gets', 'enqueue waits', 'enqueue deadlocks')
            """),
        new FigureGroup(
            SIZE, ONE_ROW, "SELECT coalesce(sum(bytes), 0) AS relation_bytes FROM user_segments"));
  }
}
