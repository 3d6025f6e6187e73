package io.shardmark.loader.writer;

import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.RowWriteException;
import io.shardmark.loader.data.RowWriter;
import java.sql.Connection;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;

/**
 * Writes rows through PostgreSQL's COPY, one COPY for each table of a unit. Binary where the
 * columns have the types of the built-in schema; text for a table whose types a user has changed,
 * because binary values must match the column's type exactly.
 *
 * <p>{@code COPY FREEZE} is not used: it needs the table to be created or truncated in the very
 * transaction that copies, which would leave one worker and one transaction for each table.
 */
public final class CopyUnitWriter implements UnitWriter {
  /**
   * One CopyData message: large enough that system calls do not count, small enough for a cache.
   */
  private static final int BLOCK_BYTES = 256 * 1024;

  private static final Map<DataTable.ColumnType, Set<String>> BINARY_TYPES =
      Map.of(
          DataTable.ColumnType.INTEGER, Set.of("int4"),
          DataTable.ColumnType.TEXT, Set.of("varchar", "bpchar", "text"),
          DataTable.ColumnType.DECIMAL, Set.of("numeric"),
          DataTable.ColumnType.TIMESTAMP, Set.of("timestamp"));

  private final Connection connection;
  private final CopyManager copyManager;
  private final BooleanSupplier stopped;
  private final BinaryCopyEncoder binary = new BinaryCopyEncoder(this::send, BLOCK_BYTES);
  private final CsvEncoder text = new CsvEncoder(this::send, "", BLOCK_BYTES);
  private final Map<DataTable, Boolean> binaryTables = new HashMap<>();
  private DataTable table = DataTable.NONE;
  private @Nullable CopyIn copy;

  /**
   * @param connection to PostgreSQL; stays the caller's, who also commits
   * @param stopped asked between blocks; true ends the unit with a {@link RowWriteException}
   */
  public CopyUnitWriter(Connection connection, BooleanSupplier stopped) throws SQLException {
    this.connection = connection;
    this.stopped = stopped;
    copyManager = connection.unwrap(PGConnection.class).getCopyAPI();
  }

  /** True if the connection is PostgreSQL's, so that this writer can be used. */
  public static boolean isFor(Connection connection) throws SQLException {
    return connection.isWrapperFor(PGConnection.class);
  }

  @Override
  public RowWriter start(DataTable newTable) {
    table = newTable;
    try {
      boolean isBinary = isBinary(newTable);
      copy =
          copyManager.copyIn(
              "COPY %s (%s) FROM STDIN (FORMAT %s)"
                  .formatted(newTable.name(), newTable.columnList(), isBinary ? "binary" : "csv"));
      if (isBinary) {
        binary.begin(newTable.columns().size());
        return binary;
      }
      text.begin();
      return text;
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public void end(int rows) {
    if (isBinary(table)) {
      binary.finish();
    } else {
      text.finish();
    }
    long stored;
    try {
      stored = openCopy().endCopy();
    } catch (SQLException e) {
      throw failure(e);
    }
    copy = null;
    if (stored != rows) {
      throw new RowWriteException(
          "COPY into %s stored %d of %d rows".formatted(table.name(), stored, rows));
    }
  }

  @Override
  public void abandon() {
    CopyIn open = copy;
    copy = null;
    if (open != null && open.isActive()) {
      try {
        open.cancelCopy();
      } catch (SQLException e) {
        // The connection is lost, and with it the transaction: there is nothing left to give up.
        return;
      }
    }
  }

  private void send(byte[] block, int offset, int length) {
    if (stopped.getAsBoolean()) {
      throw new RowWriteException("the load was stopped");
    }
    try {
      openCopy().writeToCopy(block, offset, length);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private CopyIn openCopy() {
    if (copy == null) {
      throw new IllegalStateException("no COPY is open");
    }
    return copy;
  }

  private RowWriteException failure(SQLException e) {
    return new RowWriteException(table.name() + ": " + e.getMessage(), e);
  }

  private boolean isBinary(DataTable which) {
    return binaryTables.computeIfAbsent(which, this::hasBinaryTypes);
  }

  private boolean hasBinaryTypes(DataTable which) {
    String query = "select %s from %s where 1 = 0".formatted(which.columnList(), which.name());
    try (Statement statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      ResultSetMetaData types = rows.getMetaData();
      for (int i = 0; i < which.columns().size(); i++) {
        Set<String> expected = BINARY_TYPES.getOrDefault(which.columns().get(i).type(), Set.of());
        if (!expected.contains(types.getColumnTypeName(i + 1))) {
          return false;
        }
      }
      return true;
    } catch (SQLException e) {
      throw failure(e);
    }
  }
}
