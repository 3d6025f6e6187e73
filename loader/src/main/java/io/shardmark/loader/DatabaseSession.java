package io.shardmark.loader;

import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.LoadUnit;
import io.shardmark.loader.data.Origin;
import io.shardmark.loader.data.RowWriteException;
import io.shardmark.loader.writer.BatchUnitWriter;
import io.shardmark.loader.writer.CopyUnitWriter;
import io.shardmark.loader.writer.UnitWriter;
import io.shardmark.sql.jdbc.ConnectionSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;

/**
 * Loads units into a database, each in one transaction together with the note that it is done: a
 * unit is there with its note or not at all.
 */
final class DatabaseSession implements UnitSession {
  private final Connection connection;
  private final UnitWriter writer;
  private final UnitRows rows;
  private final LoadJournal journal;

  /**
   * What all sessions of a load have in common.
   *
   * @param layout of the journal
   * @param stopped whether the load is to end after the rows that are on their way
   */
  record Setup(DataSet data, Origin origin, JournalLayout layout, BooleanSupplier stopped) {}

  private DatabaseSession(Connection connection, UnitWriter writer, Setup setup) {
    this.connection = connection;
    this.writer = writer;
    rows = new UnitRows(setup.data().rows(setup.origin()), writer);
    journal = new LoadJournal(connection, setup.layout());
  }

  static DatabaseSession open(ConnectionSource source, Setup setup) throws SQLException {
    Connection connection = source.open();
    try {
      connection.setAutoCommit(false);
      return new DatabaseSession(connection, writer(connection, setup.stopped()), setup);
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private static UnitWriter writer(Connection connection, BooleanSupplier stopped)
      throws SQLException {
    return CopyUnitWriter.isFor(connection)
        ? new CopyUnitWriter(connection, stopped)
        : new BatchUnitWriter(connection, stopped);
  }

  @Override
  public long load(LoadUnit unit) throws SQLException {
    try {
      long written = rows.load(unit);
      journal.markDone(unit);
      connection.commit();
      return written;
    } catch (SQLException | RowWriteException e) {
      giveUp();
      throw e;
    }
  }

  /** Fills the last table and commits it. */
  void loadLast(DataTable table) throws SQLException {
    try {
      rows.writeLast(table);
      connection.commit();
    } catch (SQLException | RowWriteException e) {
      giveUp();
      throw e;
    }
  }

  LoadJournal journal() {
    return journal;
  }

  private void giveUp() {
    writer.abandon();
    try {
      connection.rollback();
    } catch (SQLException e) {
      // The connection is lost: the server has rolled back, and the first failure is reported.
      return;
    }
  }

  @Override
  public void close() throws SQLException {
    rows.close();
    connection.close();
  }
}
