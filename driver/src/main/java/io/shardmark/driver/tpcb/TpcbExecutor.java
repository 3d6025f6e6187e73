package io.shardmark.driver.tpcb;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.WrongDataException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Runs pgbench's transactions in one form. */
final class TpcbExecutor implements TransactionExecutor {
  /** How a transaction talks to the database. */
  enum Form {
    /**
     * One statement after the other, as {@code pgbench -M prepared}. pgjdbc sends BEGIN together
     * with the first one, where pgbench waits for its answer: a transaction has one round trip
     * less.
     */
    SEPARATE,
    /**
     * All statements of a transaction in one round trip. pgjdbc sends a text of several statements
     * as a pipeline of prepared statements up to one Sync (PG18 §54.2.4 protocol-flow-pipelining).
     * In auto-commit mode that is one implicit transaction: neither BEGIN nor COMMIT is sent, and
     * an error rolls back all of it. That an UPDATE found no row is seen only after the commit; the
     * transaction counts as one with wrong data then, and {@code verify} finds what it left.
     */
    PIPELINED,
    /** One call of a function. In auto-commit mode the call is the transaction. */
    FUNCTION;

    /** What is sent together, one round trip after the other. */
    List<List<TpcbStatement>> roundTrips(TpcbScript script) {
      return switch (this) {
        case SEPARATE -> script.statements().stream().map(List::of).toList();
        case PIPELINED -> List.of(script.statements());
        case FUNCTION ->
            List.of(
                script.isReadOnly() ? script.statements() : List.of(TpcbStatement.CALL_FUNCTION));
      };
    }

    /** True if the driver begins and commits the transaction. */
    boolean isInTransaction(TpcbScript script) {
      return this == SEPARATE && !script.isReadOnly();
    }
  }

  private final Connection connection;
  private final Form form;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();
  private final Map<TpcbScript, List<RoundTrip>> roundTrips = new EnumMap<>(TpcbScript.class);

  TpcbExecutor(Connection connection, Form form) throws SQLException {
    this.connection = connection;
    this.form = form;
    for (TpcbScript script : TpcbScript.values()) {
      List<RoundTrip> trips = new ArrayList<>();
      for (List<TpcbStatement> statements : form.roundTrips(script)) {
        trips.add(new RoundTrip(prepare(statements), statements));
      }
      roundTrips.put(script, List.copyOf(trips));
    }
  }

  /** What several transactions have in common is one prepared statement. */
  private PreparedStatement prepare(List<TpcbStatement> statements) throws SQLException {
    String text = statements.stream().map(TpcbStatement::sql).collect(Collectors.joining(";"));
    PreparedStatement known = prepared.get(text);
    if (known == null) {
      known = connection.prepareStatement(text);
      prepared.put(text, known);
    }
    return known;
  }

  @Override
  public Outcome execute(Transaction transaction) throws SQLException {
    TpcbScript.TpcbInput input = (TpcbScript.TpcbInput) transaction;
    boolean inTransaction = form.isInTransaction(input.script());
    connection.setAutoCommit(!inTransaction);
    for (RoundTrip trip : roundTrips.getOrDefault(input.script(), List.of())) {
      trip.run(input);
    }
    if (inTransaction) {
      connection.commit();
    }
    return Outcome.COMMITTED;
  }

  private record RoundTrip(PreparedStatement prepared, List<TpcbStatement> statements) {
    void run(TpcbScript.TpcbInput input) throws SQLException {
      int at = 1;
      for (TpcbStatement statement : statements) {
        at = statement.bind(prepared, at, input);
      }
      execute();
      statements.get(0).check(prepared, input);
      for (int i = 1; i < statements.size(); i++) {
        prepared.getMoreResults();
        statements.get(i).check(prepared, input);
      }
    }

    private void execute() throws SQLException {
      try {
        prepared.execute();
      } catch (SQLException e) {
        if (statements.get(0).isMissingRow(e)) {
          throw new WrongDataException(String.valueOf(e.getMessage()));
        }
        throw e;
      }
    }
  }
}
