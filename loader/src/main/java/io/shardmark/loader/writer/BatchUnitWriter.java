package io.shardmark.loader.writer;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.RowWriteException;
import io.shardmark.loader.data.RowWriter;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows as batches of plain INSERTs, which every JDBC driver has. Drivers that rewrite
 * batches (pgjdbc {@code reWriteBatchedInserts}, MySQL {@code rewriteBatchedStatements}) send them
 * as multi-row statements. Firebird gets blocks of rows.
 */
public final class BatchUnitWriter implements UnitWriter, RowWriter {
  /** Rows of a batch: bounds the memory that the driver needs, and no driver gains from more. */
  private static final int BATCH_ROWS = 1_000;

  private final Connection connection;
  private final BooleanSupplier stopped;
  private DataTable table = DataTable.NONE;
  private @Nullable PreparedStatement insert;
  private RowInsert form = new RowInsert("", 1);
  private boolean rowOpen;
  private int column;

  /** Rows that are set or batched, but not sent. */
  private int pending;

  private long lastMicros = Long.MIN_VALUE;
  private Timestamp lastTimestamp = new Timestamp(0);

  /**
   * @param connection stays the caller's, who also commits
   * @param stopped asked between batches; true ends the unit with a {@link RowWriteException}
   */
  public BatchUnitWriter(Connection connection, BooleanSupplier stopped) {
    this.connection = connection;
    this.stopped = stopped;
  }

  @Override
  public RowWriter start(DataTable newTable) {
    table = newTable;
    rowOpen = false;
    pending = 0;
    try {
      form = RowInsert.of(connection, newTable);
      insert = connection.prepareStatement(form.text());
    } catch (SQLException e) {
      throw failure(e);
    }
    return this;
  }

  @Override
  public void end(int rows) {
    try {
      addRow();
      flush();
      statement().close();
    } catch (SQLException e) {
      throw failure(e);
    }
    insert = null;
  }

  @Override
  public void abandon() {
    PreparedStatement open = insert;
    insert = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        // The connection is lost, and with it the transaction: there is nothing left to give up.
        return;
      }
    }
  }

  @Override
  public void startRow() {
    try {
      addRow();
      if (pending == (form.rows() > 1 ? form.rows() : BATCH_ROWS)) {
        flush();
      }
    } catch (SQLException e) {
      throw failure(e);
    }
    rowOpen = true;
    column = form.rows() > 1 ? 1 + pending * table.columns().size() : 0;
  }

  @Override
  public void int32(int value) {
    set((statement, index) -> statement.setInt(index, value));
  }

  @Override
  public void text(byte[] ascii, int offset, int length) {
    String text = new String(ascii, offset, length, US_ASCII);
    set((statement, index) -> statement.setString(index, text));
  }

  @Override
  public void decimal(long unscaled, int scale) {
    set((statement, index) -> statement.setBigDecimal(index, BigDecimal.valueOf(unscaled, scale)));
  }

  @Override
  public void timestamp(long epochMicros) {
    if (epochMicros != lastMicros) {
      lastMicros = epochMicros;
      lastTimestamp =
          Timestamp.valueOf(
              LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC)
                  .plus(epochMicros, ChronoUnit.MICROS));
    }
    set((statement, index) -> statement.setTimestamp(index, lastTimestamp));
  }

  @Override
  public void nullValue() {
    set(this::setNull);
  }

  private void setNull(PreparedStatement statement, int index) throws SQLException {
    int field = form.rows() > 1 ? (index - 2) % table.columns().size() : index - 1;
    statement.setNull(
        index,
        switch (table.columns().get(field).type()) {
          case INTEGER -> Types.INTEGER;
          case TEXT -> Types.VARCHAR;
          case DECIMAL -> Types.DECIMAL;
          case TIMESTAMP -> Types.TIMESTAMP;
        });
  }

  /** Sets one field of a row. */
  private interface Field {
    void set(PreparedStatement statement, int index) throws SQLException;
  }

  private void set(Field field) {
    try {
      field.set(statement(), ++column);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private void addRow() throws SQLException {
    if (rowOpen) {
      if (form.rows() == 1) {
        statement().addBatch();
      }
      pending++;
      rowOpen = false;
    }
  }

  private void flush() throws SQLException {
    if (stopped.getAsBoolean()) {
      throw new RowWriteException("the load was stopped");
    }
    if (pending == 0) {
      return;
    }
    if (form.rows() == 1) {
      statement().executeBatch();
    } else {
      statement().setInt(1, pending);
      for (int index = column + 1; index <= 1 + form.rows() * table.columns().size(); index++) {
        setNull(statement(), index);
      }
      statement().execute();
    }
    pending = 0;
  }

  private PreparedStatement statement() {
    if (insert == null) {
      throw new IllegalStateException("no table was started");
    }
    return insert;
  }

  private RowWriteException failure(SQLException e) {
    // A batch's own message only says which row; the reason is the exception chained to it.
    SQLException reason = e.getNextException() == null ? e : e.getNextException();
    return new RowWriteException(table.name() + ": " + reason.getMessage(), e);
  }
}
