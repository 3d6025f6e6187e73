package io.shardmark.driver.isolation;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.WrongDataException;
import io.shardmark.driver.isolation.ListTransaction.Access;
import io.shardmark.driver.isolation.ListTransaction.Action;
import io.shardmark.driver.isolation.ListTransaction.End;
import io.shardmark.sql.history.HistoryTransaction;
import io.shardmark.sql.history.HistoryTransaction.Append;
import io.shardmark.sql.history.HistoryTransaction.Ending;
import io.shardmark.sql.history.HistoryTransaction.Read;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs transactions on one connection and records what they have seen. */
final class IsolationExecutor implements TransactionExecutor {
  /** SQLSTATE class of transactions that the server has rolled back. */
  private static final String ROLLED_BACK = "40";

  private final Connection connection;
  private final HistoryRecorder recorder;
  private final PreparedStatement append;
  private final PreparedStatement read;
  private final PreparedStatement readTwo;

  IsolationExecutor(Connection connection, HistoryRecorder recorder) throws SQLException {
    this.connection = connection;
    this.recorder = recorder;
    append = connection.prepareStatement(Action.APPEND.sql());
    read = connection.prepareStatement(Action.READ.sql());
    readTwo = connection.prepareStatement(Action.READ_TWO.sql());
  }

  @Override
  public Outcome execute(Transaction transaction) throws SQLException {
    ListTransaction input = (ListTransaction) transaction;
    connection.setAutoCommit(false);
    List<HistoryTransaction.HistoryStatement> done = new ArrayList<>();
    Ending ending = Ending.ABORTED;
    try {
      for (Access access : input.accesses()) {
        done.add(run(access));
      }
      if (input.end() == End.ROLLBACK) {
        connection.rollback();
        return Outcome.ROLLED_BACK;
      }
      ending = Ending.UNKNOWN;
      connection.commit();
      ending = Ending.COMMITTED;
      return Outcome.COMMITTED;
    } catch (SQLException e) {
      if (String.valueOf(e.getSQLState()).startsWith(ROLLED_BACK)) {
        ending = Ending.ABORTED;
      }
      throw e;
    } finally {
      recorder.add(ending, done);
    }
  }

  private HistoryTransaction.HistoryStatement run(Access access) throws SQLException {
    return switch (access.action()) {
      case APPEND -> {
        int value = recorder.nextValue();
        append.setString(1, value + ",");
        append.setInt(2, access.list());
        requireAll(append.executeUpdate(), 1, access);
        yield new Append(access.list(), value);
      }
      case READ -> {
        read.setInt(1, access.list());
        yield read(read, 1, access);
      }
      case READ_TWO -> {
        readTwo.setInt(1, access.list());
        readTwo.setInt(2, access.other());
        yield read(readTwo, 2, access);
      }
    };
  }

  private static Read read(PreparedStatement query, int count, Access access) throws SQLException {
    Map<Integer, List<Integer>> lists = HistoryRecorder.lists(query);
    requireAll(lists.size(), count, access);
    return new Read(lists);
  }

  private static void requireAll(int found, int expected, Access access) {
    if (found != expected) {
      throw new WrongDataException("%s: %d lists instead of %d".formatted(access, found, expected));
    }
  }
}
