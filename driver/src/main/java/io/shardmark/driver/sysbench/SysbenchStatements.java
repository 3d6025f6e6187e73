package io.shardmark.driver.sysbench;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.WrongDataException;
import io.shardmark.driver.sysbench.SysbenchTest.Operations;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A transaction's statements one by one. pgjdbc sends BEGIN together with the first one, where
 * sysbench waits for its answer. Answers are checked where a row that is missing could not be
 * another transaction's doing: ids are 1 to the size of the table without gaps, and a delete and
 * its insert are one transaction.
 */
@SuppressWarnings("EnumOrdinal") // indexes small arrays of this process; never stored
final class SysbenchStatements implements TransactionExecutor {
  private static final String UNIQUE_VIOLATION = "23505";
  private static final String SERIALIZATION_FAILURE = "40001";

  private final Connection connection;
  private final Operations operations;
  private final int tableSize;
  private final @Nullable PreparedStatement[][] prepared;
  private SysbenchInput input = SysbenchInput.NONE;
  private int nextId;
  private int nextText;

  SysbenchStatements(Connection connection, Operations operations, SysbenchTables tables)
      throws SQLException {
    this.connection = connection;
    this.operations = operations;
    tableSize = tables.size();
    prepared = new PreparedStatement[StatementKind.COUNT][tables.count() + 1];
    connection.setAutoCommit(!operations.inTransaction());
  }

  @Override
  public Outcome execute(Transaction transaction) throws SQLException {
    input = (SysbenchInput) transaction;
    nextId = 0;
    nextText = 0;
    for (int i = 0; i < operations.pointSelects(); i++) {
      pointSelect();
    }
    for (int i = 0; i < operations.simpleRanges(); i++) {
      wholeRange(StatementKind.SIMPLE_RANGE);
    }
    for (int i = 0; i < operations.sumRanges(); i++) {
      sumRange();
    }
    for (int i = 0; i < operations.orderRanges(); i++) {
      wholeRange(StatementKind.ORDER_RANGE);
    }
    for (int i = 0; i < operations.distinctRanges(); i++) {
      distinctRange();
    }
    write();
    if (operations.inTransaction()) {
      connection.commit();
    }
    return Outcome.COMMITTED;
  }

  private void write() throws SQLException {
    for (int i = 0; i < operations.indexUpdates(); i++) {
      PreparedStatement update = statement(StatementKind.INDEX_UPDATE);
      update.setInt(1, input.ids()[nextId++]);
      update.executeUpdate();
    }
    for (int i = 0; i < operations.nonIndexUpdates(); i++) {
      PreparedStatement update = statement(StatementKind.NON_INDEX_UPDATE);
      update.setString(1, input.texts()[nextText++]);
      update.setInt(2, input.ids()[nextId++]);
      update.executeUpdate();
    }
    for (int i = 0; i < operations.deleteInserts(); i++) {
      deleteAndInsert();
    }
  }

  private PreparedStatement statement(StatementKind kind) throws SQLException {
    int table = input.tables()[kind.ordinal()];
    PreparedStatement known = prepared[kind.ordinal()][table];
    if (known == null) {
      known = connection.prepareStatement(kind.sql(table));
      prepared[kind.ordinal()][table] = known;
    }
    return known;
  }

  private void pointSelect() throws SQLException {
    int id = input.ids()[nextId++];
    PreparedStatement select = statement(StatementKind.POINT_SELECT);
    select.setInt(1, id);
    try (ResultSet row = select.executeQuery()) {
      if (count(row) != 1 && operations.inTransaction()) {
        throw missing(StatementKind.POINT_SELECT, id, 1, 0);
      }
    }
  }

  private int bindRange(PreparedStatement select) throws SQLException {
    int first = input.ids()[nextId++];
    select.setInt(1, first);
    select.setInt(2, first + operations.rangeSize() - 1);
    return first;
  }

  private void wholeRange(StatementKind kind) throws SQLException {
    PreparedStatement select = statement(kind);
    int first = bindRange(select);
    int expected = Math.min(operations.rangeSize(), tableSize - first + 1);
    try (ResultSet rows = select.executeQuery()) {
      int found = count(rows);
      if (found != expected && operations.inTransaction()) {
        throw missing(kind, first, expected, found);
      }
    }
  }

  private void sumRange() throws SQLException {
    PreparedStatement select = statement(StatementKind.SUM_RANGE);
    bindRange(select);
    try (ResultSet row = select.executeQuery()) {
      row.next();
      row.getLong(1);
    }
  }

  private void distinctRange() throws SQLException {
    PreparedStatement select = statement(StatementKind.DISTINCT_RANGE);
    bindRange(select);
    try (ResultSet rows = select.executeQuery()) {
      count(rows);
    }
  }

  /** All rows have arrived; nothing of them is decoded, as sysbench does not either. */
  private static int count(ResultSet rows) throws SQLException {
    int count = 0;
    while (rows.next()) {
      count++;
    }
    return count;
  }

  private WrongDataException missing(StatementKind kind, int first, int expected, int found) {
    return new WrongDataException(
        "sbtest%d: %d rows from id %d on instead of %d"
            .formatted(input.tables()[kind.ordinal()], found, first, expected));
  }

  private void deleteAndInsert() throws SQLException {
    int id = input.ids()[nextId++];
    PreparedStatement delete = statement(StatementKind.DELETE);
    delete.setInt(1, id);
    delete.executeUpdate();
    PreparedStatement insert = statement(StatementKind.INSERT);
    insert.setInt(1, id);
    insert.setInt(2, input.ids()[nextId++]);
    insert.setString(3, input.texts()[nextText++]);
    insert.setString(4, input.texts()[nextText++]);
    try {
      insert.executeUpdate();
    } catch (SQLException e) {
      throw UNIQUE_VIOLATION.equals(e.getSQLState()) ? conflict(id, e) : e;
    }
  }

  /**
   * Two transactions that delete and insert the same id at once: the second DELETE waits, then
   * finds nothing, as the row that the first put back is not in its snapshot (read committed); its
   * INSERT fails. sysbench ignores this error and draws another transaction. Here it is what it is,
   * a serialization failure, which {@code retries} runs again.
   */
  private static SQLException conflict(int id, SQLException cause) {
    return new SQLException(
        "id %d was deleted and put back by another transaction meanwhile (%s)"
            .formatted(id, cause.getMessage()),
        SERIALIZATION_FAILURE,
        cause);
  }
}
