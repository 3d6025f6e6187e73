package io.shardmark.driver.replication;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * How many statements of the workload an endpoint shows, by the first and last rows of all lanes.
 * Two index entries for each lane, however many rows there are. One thread.
 */
final class Positions {
  private static final String PROBE =
      """
      SELECT x.lane, newest.c1, newest.c9, oldest.c1, oldest.c9
        FROM unnest(?::int[], ?::int[]) AS x (lane, low)
        LEFT JOIN LATERAL (SELECT c1, c9 FROM %1$s
                            WHERE c1 BETWEEN x.low AND x.lane * %2$d + %3$d
                            ORDER BY c1 DESC LIMIT 1) newest ON true
        LEFT JOIN LATERAL (SELECT c1, c9 FROM %1$s
                            WHERE c1 BETWEEN x.low AND x.lane * %2$d + %3$d
                            ORDER BY c1 LIMIT 1) oldest ON true
      """;

  private final TableLayout layout;

  /** Rows before these are deleted; their index entries need not be passed again. */
  private final int[] low = IntStream.range(0, TableLayout.LANES).map(TableLayout::first).toArray();

  private final int[] lastId = new int[TableLayout.LANES];
  private final int[] inserted = new int[TableLayout.LANES];
  private final int[] deleted = new int[TableLayout.LANES];

  Positions(TableLayout layout) {
    this.layout = layout;
    Arrays.fill(lastId, -1);
  }

  /**
   * Asks an endpoint, always the same one.
   *
   * @return statements that it shows, inserts and deletes, loaded rows among them
   */
  long read(Connection connection) throws SQLException {
    for (int table = 0; table < layout.tables(); table++) {
      int number = table;
      Integer[] lanes =
          IntStream.range(0, TableLayout.LANES)
              .filter(lane -> layout.tableOf(lane) == number)
              .boxed()
              .toArray(Integer[]::new);
      Integer[] from = Arrays.stream(lanes).map(lane -> low[lane]).toArray(Integer[]::new);
      String sql =
          PROBE.formatted(
              TableLayout.name(table), TableLayout.IDS_OF_LANE, TableLayout.IDS_OF_LANE - 1);
      try (PreparedStatement probe = connection.prepareStatement(sql)) {
        probe.setQueryTimeout(StandbyLink.TIMEOUT_SECONDS);
        probe.setArray(1, connection.createArrayOf("int4", lanes));
        probe.setArray(2, connection.createArrayOf("int4", from));
        try (ResultSet rows = probe.executeQuery()) {
          while (rows.next()) {
            take(rows);
          }
        }
      }
    }
    long statements = 0;
    for (int lane = 0; lane < TableLayout.LANES; lane++) {
      statements += (long) inserted[lane] + deleted[lane];
    }
    return statements;
  }

  private void take(ResultSet row) throws SQLException {
    int lane = row.getInt(1);
    int newest = row.getInt(2);
    if (row.wasNull()) {
      return; // a lane that was never used
    }
    lastId[lane] = newest;
    inserted[lane] = row.getInt(3);
    low[lane] = row.getInt(4);
    deleted[lane] = row.getInt(5) - 1;
  }

  /** Rows that a lane has had up to its last one. */
  int inserted(int lane) {
    return inserted[lane];
  }

  /** The offset after a lane's last row. */
  int nextOffset(int lane) {
    return lastId[lane] < 0 ? 0 : lastId[lane] - TableLayout.first(lane) + 1;
  }
}
