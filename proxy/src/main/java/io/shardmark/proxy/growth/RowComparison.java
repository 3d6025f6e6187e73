package io.shardmark.proxy.growth;

import io.shardmark.proxy.shards.ShardSql;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Compares the rows of partitions on both shards of a move, over connections with snapshots, while
 * clients go on. Blocks.
 *
 * @param source name of the shard
 */
record RowComparison(PartitionMove move, String source) {
  /** What is read and hashed without a rest: half a megabyte, some 10 ms. */
  private static final int BLOCKS_OF_SLICE = 64;

  /** From this version on PostgreSQL reads a range of blocks alone. */
  private static final int FIRST_VERSION_WITH_SLICES = 14;

  /**
   * So many times as long as it has worked the mover rests: clients have most of the processors.
   */
  private static final int RESTS = 2;

  /**
   * The first difference between the partitions, if there is one.
   *
   * @param names of the partitions on the source
   */
  Optional<String> difference(Connection ofSource, List<String> names, Connection ofTarget)
      throws SQLException, InterruptedException {
    for (int i = 0; i < names.size(); i++) {
      String partition = move.partitions().get(i);
      TableFingerprint there = fingerprint(ofSource, names.get(i));
      TableFingerprint here = fingerprint(ofTarget, partition);
      if (!there.equals(here)) {
        return Optional.of(
            "%s has %s on %s and %s on %s"
                .formatted(partition, there, source, here, move.target()));
      }
    }
    return Optional.empty();
  }

  /** Count and hash of a table's rows, whatever their order. */
  private record TableFingerprint(long rows, BigDecimal hash) {
    TableFingerprint plus(TableFingerprint more) {
      return new TableFingerprint(rows + more.rows, hash.add(more.hash));
    }

    @Override
    public String toString() {
      return "%d rows, hash %s".formatted(rows, hash);
    }
  }

  /** In slices, with rests in between. */
  private static TableFingerprint fingerprint(Connection snapshot, String table)
      throws SQLException, InterruptedException {
    TableFingerprint sum = new TableFingerprint(0, BigDecimal.ZERO);
    for (String slice : slices(snapshot, table)) {
      long begun = System.nanoTime();
      sum = sum.plus(fingerprint(snapshot, table, slice));
      restSince(begun);
    }
    return sum;
  }

  private static boolean canSlice(Connection connection) throws SQLException {
    return connection.getMetaData().getDatabaseMajorVersion() >= FIRST_VERSION_WITH_SLICES;
  }

  /** Conditions, each of which holds for a part of a table's rows, and together for all. */
  private static List<String> slices(Connection snapshot, String table) throws SQLException {
    if (!canSlice(snapshot)) {
      return List.of("true");
    }
    long blocks = MoveRows.number(snapshot, MoveSql.BLOCKS, table);
    List<String> slices = new ArrayList<>();
    for (long from = 0; from < blocks; from += BLOCKS_OF_SLICE) {
      slices.add(MoveSql.inBlocks(from, from + BLOCKS_OF_SLICE));
    }
    return slices;
  }

  /** After work that takes a processor. */
  static void restSince(long begunNanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(RESTS * (System.nanoTime() - begunNanos));
  }

  private static TableFingerprint fingerprint(Connection snapshot, String table, String where)
      throws SQLException {
    return ShardSql.rows(
            snapshot,
            MoveSql.fingerprint(table, where),
            row -> new TableFingerprint(row.getLong(1), row.getBigDecimal(2)))
        .get(0);
  }

  /** A foreign key that would not hold on the target, where the partitions have none yet. */
  Optional<String> brokenKey(Connection ofTarget) throws SQLException, InterruptedException {
    ShardSql.execute(ofTarget, canSlice(ofTarget) ? MoveSql.LOOPS : MoveSql.NO_LOOPS);
    for (int i = 0; i < move.partitions().size(); i++) {
      String partition = move.partitions().get(i);
      List<String> slices = slices(ofTarget, partition);
      for (String broken : keyChecks(ofTarget, i)) {
        for (String slice : slices) {
          long begun = System.nanoTime();
          List<String> key = ShardSql.texts(ofTarget, broken + " AND " + slice + " LIMIT 1");
          restSince(begun);
          if (!key.isEmpty()) {
            return Optional.of(
                "%s of %s does not hold on %s".formatted(key.get(0), partition, move.target()));
          }
        }
      }
    }
    return Optional.empty();
  }

  private List<String> keyChecks(Connection ofTarget, int partition) throws SQLException {
    return ShardSql.texts(
        ofTarget,
        MoveSql.KEY_CHECKS,
        move.partitions().get(partition),
        move.parents(),
        move.partitions(),
        move.parents().get(partition));
  }
}
