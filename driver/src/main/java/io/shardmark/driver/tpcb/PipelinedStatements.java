package io.shardmark.driver.tpcb;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.WrongDataException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * All statements of a transaction in one round trip. pgjdbc sends a text of several statements as a
 * pipeline of prepared statements up to one Sync (PG18 §54.2.4 protocol-flow-pipelining). In
 * auto-commit mode that is one implicit transaction: neither BEGIN nor COMMIT is sent, and an error
 * rolls back all of it. That an UPDATE found no row is seen only after the commit; the transaction
 * counts as one with wrong data then, and {@code verify} finds what it left.
 */
final class PipelinedStatements implements TransactionExecutor {
  private final Connection connection;
  private final Map<TpcbScript, PreparedStatement> pipelines = new EnumMap<>(TpcbScript.class);

  PipelinedStatements(Connection connection) {
    this.connection = connection;
  }

  private PreparedStatement pipeline(TpcbScript script) throws SQLException {
    PreparedStatement known = pipelines.get(script);
    if (known != null) {
      return known;
    }
    PreparedStatement prepared = connection.prepareStatement(text(script));
    pipelines.put(script, prepared);
    return prepared;
  }

  private static String text(TpcbScript script) {
    if (script.isReadOnly()) {
      return TpcbSql.SELECT_ACCOUNT;
    }
    List<String> statements = new ArrayList<>();
    statements.add(TpcbSql.UPDATE_ACCOUNT);
    statements.add(TpcbSql.SELECT_ACCOUNT);
    if (script.updatesAll()) {
      statements.add(TpcbSql.UPDATE_TELLER);
      statements.add(TpcbSql.UPDATE_BRANCH);
    }
    if (script.insertsHistory()) {
      statements.add(TpcbSql.INSERT_HISTORY);
    }
    return String.join(";", statements);
  }

  @Override
  public Outcome execute(Transaction transaction) throws SQLException {
    TpcbInput input = (TpcbInput) transaction;
    TpcbScript script = input.script();
    connection.setAutoCommit(true);
    PreparedStatement pipeline = pipeline(script);
    bind(pipeline, input);
    pipeline.execute();
    if (!script.isReadOnly()) {
      TpcbSql.requireOne(pipeline.getUpdateCount(), "account", input.accountId());
      pipeline.getMoreResults();
    }
    readBalance(pipeline, input);
    if (script.updatesAll()) {
      TpcbSql.requireOne(nextCount(pipeline), "teller", input.tellerId());
      TpcbSql.requireOne(nextCount(pipeline), "branch", input.branchId());
    }
    if (script.insertsHistory()) {
      TpcbSql.requireOne(nextCount(pipeline), "history of account", input.accountId());
    }
    return Outcome.COMMITTED;
  }

  private static void bind(PreparedStatement pipeline, TpcbInput input) throws SQLException {
    int at = 1;
    if (!input.script().isReadOnly()) {
      pipeline.setInt(at++, input.delta());
      pipeline.setInt(at++, input.accountId());
    }
    pipeline.setInt(at++, input.accountId());
    if (input.script().updatesAll()) {
      pipeline.setInt(at++, input.delta());
      pipeline.setInt(at++, input.tellerId());
      pipeline.setInt(at++, input.delta());
      pipeline.setInt(at++, input.branchId());
    }
    if (input.script().insertsHistory()) {
      pipeline.setInt(at++, input.tellerId());
      pipeline.setInt(at++, input.branchId());
      pipeline.setInt(at++, input.accountId());
      pipeline.setInt(at, input.delta());
    }
  }

  private static void readBalance(PreparedStatement pipeline, TpcbInput input) throws SQLException {
    try (ResultSet row = pipeline.getResultSet()) {
      if (row == null) {
        throw new WrongDataException("the pipeline's answer has no rows");
      }
      TpcbSql.readBalance(row, input.accountId());
    }
  }

  private static int nextCount(PreparedStatement pipeline) throws SQLException {
    pipeline.getMoreResults();
    return pipeline.getUpdateCount();
  }
}
