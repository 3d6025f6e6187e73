package io.shardmark.proxy.growth;

import io.shardmark.proxy.growth.Cutover.BusyException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;

/**
 * Copies the rows of a move's partitions as of the moment from which on a replication slot keeps
 * the source's log, with rests in between, while clients go on. Blocks.
 *
 * @param source for the replication protocol as well
 * @param target in auto-commit mode; tables that another try has filled are empty afterwards
 * @param goesOn throws if the move does not go on
 */
record PartitionCopy(PartitionMove move, Connection source, Connection target, GoesOn goesOn) {
  /** Of rows as texts, which are sent without a rest: some 10 ms of work. */
  private static final int BYTES_OF_SLICE = 1 << 19;

  /** Asked after each slice. */
  interface GoesOn {
    void check() throws SQLException, BusyException;
  }

  void make() throws SQLException, BusyException, InterruptedException {
    // Another proxy that has lost the move may still be about to write.
    if (!ShardSql.isTrue(target, MoveSql.take(move.id()))) {
      throw new BusyException("another proxy copies the rows");
    }
    ShardSql.execute(target, "TRUNCATE " + String.join(", ", move.partitions()));
    beginSnapshot();
    for (String partition : move.partitions()) {
      copy(partition);
    }
    source.commit();
  }

  /** PostgreSQL waits for the end of all transactions that write on the server. */
  private void beginSnapshot() throws SQLException, BusyException {
    ShardSql.texts(source, MoveSql.NO_LIMITS);
    ShardSql.execute(source, MoveSql.SAME_TEXTS + "; SET lock_timeout TO '5s'");
    source.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    source.setReadOnly(true);
    source.setAutoCommit(false);
    try {
      ShardSql.execute(source, MoveSql.CREATE_SLOT.formatted(move.name()));
    } catch (SQLException e) {
      if (SqlState.LOCK_NOT_AVAILABLE.code().equals(e.getSQLState())) {
        throw new BusyException("transactions on the source's server do not end");
      }
      throw e;
    }
  }

  /** One COPY on the source; one for each slice on the target, whose end says that it is done. */
  private void copy(String table) throws SQLException, BusyException, InterruptedException {
    String columns =
        "%s (%s)".formatted(table, ShardSql.texts(target, MoveSql.COLUMNS, table).get(0));
    CopyOut out = copies(source).copyOut("COPY " + columns + " TO STDOUT");
    byte[] row = out.readFromCopy();
    while (row != null) {
      long begun = System.nanoTime();
      CopyIn in = copies(target).copyIn("COPY " + columns + " FROM STDIN");
      for (int bytes = 0; row != null && bytes < BYTES_OF_SLICE; row = out.readFromCopy()) {
        in.writeToCopy(row, 0, row.length);
        bytes += row.length;
      }
      in.endCopy();
      RowComparison.restSince(begun);
      goesOn.check();
    }
  }

  private static CopyManager copies(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getCopyAPI();
  }
}
