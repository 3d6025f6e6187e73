package io.shardmark.driver.bmt;

import io.shardmark.driver.benchmark.OperationMix;
import io.shardmark.driver.benchmark.OperationMix.WeightedOperation;
import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.WrongDataException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;

/** The statements of a transaction one by one, each a round trip, then COMMIT. */
final class BmtStatements implements TransactionExecutor {
  private final Connection connection;
  private final int statementsPerCommit;
  private final Map<BmtOperation, PreparedStatement> prepared = new EnumMap<>(BmtOperation.class);

  BmtStatements(Connection connection, int statementsPerCommit, OperationMix<BmtOperation> mix)
      throws SQLException {
    this.connection = connection;
    this.statementsPerCommit = statementsPerCommit;
    for (WeightedOperation<BmtOperation> part : mix.parts()) {
      BmtOperation operation = part.operation();
      prepared.put(operation, connection.prepareStatement(operation.sql()));
    }
  }

  @Override
  public Outcome execute(Transaction transaction) throws SQLException {
    BmtTerminal.BmtInput input = (BmtTerminal.BmtInput) transaction;
    BmtOperation operation = input.part().operation();
    PreparedStatement statement = prepared.get(operation);
    if (statement == null) {
      throw new IllegalStateException(operation + " is not prepared");
    }
    connection.setAutoCommit(statementsPerCommit == 1);
    for (int id : input.ids()) {
      bind(statement, operation, id, input.ids()[0]);
      int found =
          operation == BmtOperation.SELECT ? read(statement, id) : statement.executeUpdate();
      if (found != 1) {
        throw new WrongDataException(
            "%s of row %d: %d rows instead of 1".formatted(operation, id, found));
      }
    }
    if (statementsPerCommit > 1) {
      connection.commit();
    }
    input.committed();
    return Outcome.COMMITTED;
  }

  private void bind(PreparedStatement statement, BmtOperation operation, int id, int first)
      throws SQLException {
    switch (operation) {
      case INSERT -> {
        statement.setInt(1, id);
        statement.setString(2, BmtRows.text(id, 0));
        statement.setInt(3, first);
        for (int text = 1; text < BmtRows.TEXTS; text++) {
          statement.setString(text + 3, BmtRows.text(id, text));
        }
        statement.setInt(9, statementsPerCommit);
      }
      case UPDATE -> {
        statement.setString(1, BmtRows.text(id, 1));
        statement.setInt(2, id);
      }
      case SELECT, DELETE -> statement.setInt(1, id);
    }
  }

  /** All columns are taken, as a program that shows the row would. */
  private static int read(PreparedStatement select, int id) throws SQLException {
    int found = 0;
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        found++;
        for (int column = 1; column <= 10; column++) {
          if (row.getString(column) == null) {
            throw new WrongDataException("row %d: c%d is null".formatted(id, column));
          }
        }
      }
    }
    return found;
  }
}
