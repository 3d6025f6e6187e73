package io.shardmark.proxy.growth;

import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOut;

/**
 * Rows of reference tables as one snapshot of the first shard has them, so that a later look finds
 * what has changed without reading all of it on two servers. Immutable; its methods block.
 *
 * @param oldestWriter the oldest transaction under way then; what is newer has changed since
 * @param counts rows of each table, by its quoted name
 */
record ReferenceRows(String oldestWriter, Map<String, Long> counts) {
  private static final String OLDEST_WRITER =
      "SELECT pg_snapshot_xmin(pg_current_snapshot())::xid::text";

  /**
   * @param tables quoted
   * @param snapshot in a transaction of REPEATABLE READ
   */
  static ReferenceRows of(List<String> tables, Connection snapshot) throws SQLException {
    Map<String, Long> counts = new HashMap<>();
    for (String table : tables) {
      counts.put(
          table,
          ShardSql.rows(snapshot, "SELECT count(*) FROM ONLY " + table, row -> row.getLong(1))
              .get(0));
    }
    return new ReferenceRows(ShardSql.texts(snapshot, OLDEST_WRITER).get(0), Map.copyOf(counts));
  }

  /**
   * Whether a table may have other rows than then. A row that was inserted or updated has a new
   * version; one that was deleted is not counted.
   *
   * @param first sees all that has been committed
   */
  boolean haveChanged(String table, Connection first) throws SQLException {
    Long count = counts.get(table);
    return count == null
        || !ShardSql.isTrue(
            first,
            "SELECT count(*) = %d AND count(*) FILTER (WHERE age(xmin) <= age('%s'::xid)) = 0 FROM ONLY %s"
                .formatted(count, oldestWriter, table));
  }

  /** Whether the rows of a table differ on two servers. */
  static boolean differ(String table, Connection one, Connection other) throws SQLException {
    String sql = "SELECT f::text FROM (" + MoveSql.fingerprint(table, "true") + ") f";
    return !ShardSql.texts(one, sql).equals(ShardSql.texts(other, sql));
  }

  /**
   * Makes the rows of a table on the target those of another server.
   *
   * @param target in a transaction in which rows come as they are
   */
  static void copy(String table, Connection from, Connection target) throws SQLException {
    ShardSql.execute(target, "DELETE FROM " + table);
    CopyOut out =
        from.unwrap(PGConnection.class).getCopyAPI().copyOut("COPY " + table + " TO STDOUT");
    CopyIn in =
        target.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY " + table + " FROM STDIN");
    for (byte[] rows = out.readFromCopy(); rows != null; rows = out.readFromCopy()) {
      in.writeToCopy(rows, 0, rows.length);
    }
    in.endCopy();
  }
}
