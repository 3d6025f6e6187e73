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
  private final Connection connection;
  private final TpcbForm form;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();
  private final Map<TpcbScript, List<RoundTrip>> roundTrips = new EnumMap<>(TpcbScript.class);

  TpcbExecutor(Connection connection, TpcbForm form) throws SQLException {
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
    TpcbInput input = (TpcbInput) transaction;
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
    void run(TpcbInput input) throws SQLException {
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
