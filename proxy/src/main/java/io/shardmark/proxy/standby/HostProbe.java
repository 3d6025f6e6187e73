package io.shardmark.proxy.standby;

import io.shardmark.proxy.catalog.ShardConnections;
import io.shardmark.proxy.shards.ShardHosts;
import io.shardmark.proxy.shards.ShardSql;
import io.shardmark.proxy.standby.HostReport.ServerRole;
import io.shardmark.proxy.standby.TimelineTable.SeenTimeline;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks one host what it is, over a connection that it keeps. Belongs to one thread; blocks. */
final class HostProbe implements AutoCloseable {
  /**
   * A primary's timeline is in the name of the file that it writes: the control file has it only
   * after the first checkpoint. The position is that of the last record: that a page's header
   * follows does not count.
   */
  private static final String STATE =
      """
      SELECT r, (SELECT system_identifier FROM pg_catalog.pg_control_system()),
             CASE WHEN r THEN greatest((SELECT timeline_id FROM pg_catalog.pg_control_checkpoint()),
                                       (SELECT min_recovery_end_timeline
                                          FROM pg_catalog.pg_control_recovery()),
                                       (SELECT received_tli FROM pg_catalog.pg_stat_wal_receiver))
                  ELSE ('x' || substr(pg_catalog.pg_walfile_name(
                                        pg_catalog.pg_current_wal_insert_lsn()), 1, 8))
                       ::bit(32)::int END,
             (CASE WHEN r THEN pg_catalog.pg_last_wal_replay_lsn()
                   ELSE pg_catalog.pg_current_wal_insert_lsn() END - '0/0')::bigint,
             has_table_privilege(to_regclass('shardmark.shard'), 'SELECT'),
             has_table_privilege(to_regclass('shardmark.timeline'), 'SELECT')
        FROM pg_catalog.pg_is_in_recovery() r
      """;

  private static final String SHARD = "SELECT name FROM shardmark.shard";

  /**
   * PG18 §66.6 storage-page-layout: pages of the write-ahead log have headers of up to 40 bytes.
   */
  private static final int PAGE = 8192;

  private static final int PAGE_HEADER = 40;

  private final int shard;
  private final Where where;
  private final ShardConnections connections;
  private @Nullable Connection connection;
  private ShardHosts.@Nullable HostPlace place;

  /** Where the host is now. */
  @FunctionalInterface
  interface Where {
    ShardHosts.HostPlace place() throws IOException;
  }

  HostProbe(int shard, Where where, ShardConnections connections) {
    this.shard = shard;
    this.where = where;
    this.connections = connections;
  }

  /**
   * What was learned.
   *
   * @param timelines of any shards, as proxies have written them there
   */
  record Learned(HostReport.HostAnswer answer, List<SeenTimeline> timelines) {}

  /**
   * @throws SQLException if it does not answer
   */
  Learned ask() throws SQLException {
    try {
      Connection open = connection;
      ShardHosts.HostPlace at = place;
      if (open == null || at == null) {
        at = where.place();
        open = connections.probe(shard, at);
        place = at;
        connection = open;
      }
      return ask(open, at);
    } catch (IOException e) {
      throw new SQLException(e.getMessage(), e);
    } catch (SQLException e) {
      close();
      throw e;
    }
  }

  private static Learned ask(Connection open, ShardHosts.HostPlace at) throws SQLException {
    record ProbedRow(HostReport.HostAnswer answer, boolean identified, boolean timelines) {}

    ProbedRow row =
        ShardSql.rows(
                open,
                STATE,
                found ->
                    new ProbedRow(
                        new HostReport.HostAnswer(
                            found.getBoolean(1) ? ServerRole.STANDBY : ServerRole.PRIMARY,
                            found.getLong(2),
                            found.getInt(3),
                            withoutHeader(found.getLong(4)),
                            Optional.empty(),
                            at),
                        found.getBoolean(5),
                        found.getBoolean(6)))
            .get(0);
    HostReport.HostAnswer answer = row.answer();
    Optional<String> name =
        row.identified() ? ShardSql.texts(open, SHARD).stream().findFirst() : Optional.empty();
    List<SeenTimeline> timelines =
        row.timelines() ? ShardSql.rows(open, TimelineTable.READ, SeenTimeline::of) : List.of();
    return new Learned(
        new HostReport.HostAnswer(
            answer.role(), answer.system(), answer.timeline(), answer.position(), name, at),
        timelines);
  }

  private static long withoutHeader(long position) {
    return position % PAGE <= PAGE_HEADER ? position - position % PAGE : position;
  }

  /** May be used again: the next question opens a new connection. */
  @Override
  public void close() {
    ShardSql.close(connection);
    connection = null;
  }
}
