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
    SysbenchTerminal.SysbenchInput input = (SysbenchTerminal.SysbenchInput) transaction;
    nextText = 0;
    for (int at = 0; at < operations.statements().size(); at++) {
      execute(at, input);
    }
    if (operations.inTransaction()) {
      connection.commit();
    }
    return Outcome.COMMITTED;
  }

  private void execute(int at, SysbenchTerminal.SysbenchInput input) throws SQLException {
    StatementKind kind = operations.statements().get(at);
    int table = input.tables()[kind.ordinal()];
    PreparedStatement statement = statement(kind, table);
    int drawn = input.ids()[at];
    switch (kind) {
      case POINT_SELECT -> {
        statement.setInt(1, drawn);
        requireRows(statement, table, drawn, 1);
      }
      case SIMPLE_RANGE, ORDER_RANGE -> {
        bindRange(statement, drawn);
        int expected = Math.min(operations.rangeSize(), tableSize - drawn + 1);
        requireRows(statement, table, drawn, expected);
      }
      case SUM_RANGE, DISTINCT_RANGE -> {
        bindRange(statement, drawn);
        read(statement);
      }
      case RANDOM_POINTS -> {
        for (int i = 0; i < input.ids().length; i++) {
          statement.setInt(i + 1, input.ids()[i]);
        }
        read(statement);
      }
      case RANDOM_RANGES -> {
        for (int i = 0; i < input.ids().length; i++) {
          statement.setInt(2 * i + 1, input.ids()[i]);
          statement.setInt(2 * i + 2, input.ids()[i] + operations.delta());
        }
        read(statement);
      }
      case INDEX_UPDATE, DELETE -> {
        statement.setInt(1, drawn);
        statement.executeUpdate();
      }
      case NON_INDEX_UPDATE -> {
        statement.setString(1, input.texts()[nextText++]);
        statement.setInt(2, drawn);
        statement.executeUpdate();
      }
      case INSERT -> {
        int id = input.ids()[at - 1];
        statement.setInt(1, id);
        statement.setInt(2, drawn);
        statement.setString(3, input.texts()[nextText++]);
        statement.setString(4, input.texts()[nextText++]);
        insert(statement, id);
      }
      case NEW_ROW -> {
        statement.setInt(1, drawn);
        statement.setString(2, input.texts()[nextText++]);
        statement.setString(3, input.texts()[nextText++]);
        statement.executeUpdate();
      }
    }
  }

  private PreparedStatement statement(StatementKind kind, int table) throws SQLException {
    PreparedStatement known = prepared[kind.ordinal()][table];
    if (known == null) {
      known = connection.prepareStatement(kind.sql(table, operations.draws()));
      prepared[kind.ordinal()][table] = known;
    }
    return known;
  }

  private void bindRange(PreparedStatement select, int first) throws SQLException {
    select.setInt(1, first);
    select.setInt(2, first + operations.rangeSize() - 1);
  }

  /** All rows have arrived; nothing of them is decoded, as sysbench does not either. */
  private static int read(PreparedStatement select) throws SQLException {
    try (ResultSet rows = select.executeQuery()) {
      int count = 0;
      while (rows.next()) {
        count++;
      }
      return count;
    }
  }

  private void requireRows(PreparedStatement select, int table, int first, int expected)
      throws SQLException {
    int found = read(select);
    if (found != expected && operations.inTransaction()) {
      throw new WrongDataException(
          "sbtest%d: %d rows from id %d on instead of %d".formatted(table, found, first, expected));
    }
  }

  private static void insert(PreparedStatement insert, int id) throws SQLException {
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
