package io.shardmark.proxy.standby;

import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest timeline of each shard that any proxy has seen, written on all shards: a proxy that
 * reaches the old primary of one of them only learns there that it must not be used. A shard whose
 * data were moved to another cluster of databases begins again with timeline 1, so the cluster is
 * part of the key. Belongs to one thread; blocks.
 */
final class TimelineTable {
  static final Duration RETRY = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(TimelineTable.class);

  private static final String TABLE_MISSING = "SELECT to_regclass('shardmark.timeline') IS NULL";
  private static final String CREATE =
      "CREATE TABLE IF NOT EXISTS shardmark.timeline (shard text, system_identifier bigint,"
          + " timeline int NOT NULL, since timestamptz NOT NULL DEFAULT now(),"
          + " PRIMARY KEY (shard, system_identifier))";
  private static final String WRITE =
      "INSERT INTO shardmark.timeline AS t (shard, system_identifier, timeline) VALUES (?, ?, ?)"
          + " ON CONFLICT (shard, system_identifier) DO UPDATE SET timeline = excluded.timeline, since = now()"
          + " WHERE t.timeline < excluded.timeline";

  /** What is written there, but since when. */
  static final String READ = "SELECT shard, system_identifier, timeline FROM shardmark.timeline";

  private final List<ShardAccess> shards;
  private Map<String, String> failures = Map.of();

  /**
   * A timeline that a proxy has seen.
   *
   * @param shard name
   * @param cluster system identifier of the shard's cluster of databases then
   */
  record SeenTimeline(String shard, long cluster, int timeline) {
    /** Of {@link #READ}. */
    static SeenTimeline of(ResultSet row) throws SQLException {
      return new SeenTimeline(row.getString(1), row.getLong(2), row.getInt(3));
    }
  }

  TimelineTable(List<ShardAccess> shards) {
    this.shards = shards;
  }

  /**
   * Writes them on every shard.
   *
   * @return whether all shards have them
   */
  boolean write(List<SeenTimeline> newest) {
    Map<String, String> failed = new TreeMap<>();
    for (ShardAccess shard : shards) {
      try (Connection connection = shard.open()) {
        write(connection, newest);
      } catch (SQLException e) {
        failed.put(shard.name(), String.valueOf(e.getMessage()));
      }
    }
    if (!failed.equals(failures)) {
      failed.forEach(
          (shard, why) -> LOG.warn("timelines cannot be written on shard {}: {}", shard, why));
      failures = failed;
    }
    return failed.isEmpty();
  }

  private static void write(Connection connection, List<SeenTimeline> newest) throws SQLException {
    connection.setAutoCommit(false);
    // A standby of the other shard that does not answer is no reason to wait.
    ShardSql.execute(connection, "SET LOCAL synchronous_commit = local");
    if (ShardSql.isTrue(connection, TABLE_MISSING)) {
      ShardSql.execute(connection, CommitSql.LOCK_CREATION);
      ShardSql.execute(connection, CommitSql.CREATE_SCHEMA);
      ShardSql.execute(connection, CREATE);
    }
    for (SeenTimeline one : newest) {
      ShardSql.execute(connection, WRITE, one.shard(), one.cluster(), one.timeline());
    }
    connection.commit();
  }
}
