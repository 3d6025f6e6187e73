package io.shardmark.driver.replication;

import io.shardmark.driver.benchmark.OperationMix;
import io.shardmark.driver.benchmark.OperationMix.WeightedOperation;
import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.RowText;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.WrongDataException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The statements of a transaction one by one, each a round trip, then COMMIT. */
final class ReplicationStatements implements TransactionExecutor {
  private final Connection connection;
  private final TableLayout layout;
  private final Map<Operation, PreparedStatement[]> prepared = new EnumMap<>(Operation.class);

  ReplicationStatements(
      Connection connection, TableLayout layout, OperationMix<Operation> mix, StandbyCommit commit)
      throws SQLException {
    this.connection = connection;
    this.layout = layout;
    connection.setAutoCommit(true); // in a transaction that is rolled back it would not last
    try (Statement statement = connection.createStatement()) {
      statement.execute(commit.setSession());
    }
    connection.setAutoCommit(false);
    for (WeightedOperation<Operation> part : mix.parts()) {
      PreparedStatement[] ofTables = new PreparedStatement[layout.tables()];
      for (int table = 0; table < ofTables.length; table++) {
        ofTables[table] = connection.prepareStatement(part.operation().sql(table));
      }
      prepared.put(part.operation(), ofTables);
    }
  }

  @Override
  public Outcome execute(Transaction transaction) throws SQLException {
    ReplicationTerminal.ReplicationInput input = (ReplicationTerminal.ReplicationInput) transaction;
    Operation operation = input.part().operation();
    PreparedStatement statement =
        Objects.requireNonNull(prepared.get(operation))[input.lane().table()];
    boolean mayBeGone = operation == Operation.DELETE && input.lane().deleteIsOpen();
    if (operation == Operation.DELETE) {
      input.lane().beginDelete();
    }
    connection.setAutoCommit(layout.statements() == 1);
    for (int i = 0; i < layout.statements(); i++) {
      bind(statement, input, i);
      int found = statement.executeUpdate();
      if (found != 1 && !(found == 0 && mayBeGone)) {
        throw new WrongDataException(
            "%s of row %d: %d rows instead of 1".formatted(operation, input.firstId() + i, found));
      }
    }
    if (layout.statements() > 1) {
      connection.commit();
    }
    input.committed();
    return Outcome.COMMITTED;
  }

  private void bind(
      PreparedStatement statement, ReplicationTerminal.ReplicationInput input, int index)
      throws SQLException {
    int id = input.firstId() + index;
    statement.setInt(1, id);
    if (input.part().operation() == Operation.DELETE) {
      return;
    }
    String digits = RowText.digits(id);
    statement.setString(2, digits);
    statement.setInt(3, input.firstId());
    for (int column = 4; column <= 6; column++) {
      statement.setString(column, layout.text(id, column));
    }
    statement.setString(7, digits);
    statement.setString(8, digits);
    statement.setInt(9, input.before() + index + 1);
  }
}
