package io.shardmark.driver.script;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.WrongDataException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs scripts on one connection, each statement prepared once and sent unchanged: a transaction is
 * what the file begins and ends, or each statement for itself. On PostgreSQL parameters are texts
 * without a type, which the server takes from the statement, as it does for {@code pgbench -M
 * prepared}.
 */
final class ScriptExecutor implements TransactionExecutor {
  private static final String QUERY_CANCELED = "57014";

  private final Connection connection;
  private final VariableNames variables;
  private final boolean typedByServer;
  private final Map<List<SqlStatement>, PreparedStatement> prepared = new HashMap<>();
  private final List<SqlStatement> waiting = new ArrayList<>();
  private final List<Value> parameters = new ArrayList<>();

  /** True from BEGIN, also if that fails, to the statement that ends the transaction. */
  private boolean inTransaction;

  /**
   * @param typedByServer true on PostgreSQL
   */
  ScriptExecutor(Connection connection, VariableNames variables, boolean typedByServer) {
    this.connection = connection;
    this.variables = variables;
    this.typedByServer = typedByServer;
  }

  @Override
  public Outcome execute(Transaction transaction) throws SQLException {
    ScriptTerminal.ScriptInput input = (ScriptTerminal.ScriptInput) transaction;
    ScriptScope scope = input.newScope();
    connection.setAutoCommit(true);
    waiting.clear();
    parameters.clear();
    inTransaction = false;
    boolean ended = false;
    try {
      run(input.steps(), scope, false);
      if (inTransaction) {
        throw new ScriptException(
            input.part().file() + ": the script ends in a transaction: expected COMMIT or END");
      }
      ended = true;
    } finally {
      if (!ended && inTransaction) {
        rollBack();
      }
    }
    input.keep(scope);
    return Outcome.COMMITTED;
  }

  /** What failed before is what the caller hears of; a connection that is lost shows it there. */
  private void rollBack() {
    try (Statement statement = connection.createStatement()) {
      statement.execute("ROLLBACK");
    } catch (SQLException e) {
      try {
        connection.close();
      } catch (SQLException again) {
        e.addSuppressed(again);
      }
    }
  }

  private void run(List<ScriptCommand> steps, ScriptScope scope, boolean inPipeline)
      throws SQLException {
    for (ScriptCommand step : steps) {
      if (step instanceof ScriptCommand.Execute execute) {
        add(execute.statement(), scope);
        if (!inPipeline) {
          send();
        }
      } else if (step instanceof ScriptCommand.Assign assign) {
        scope.set(assign.variable(), evaluate(assign.value(), scope, assign.place()));
      } else if (step instanceof ScriptCommand.QueryCommand query) {
        add(query.statement(), scope);
        readRow(send(), query, scope);
      } else if (step instanceof ScriptCommand.Choose choose) {
        boolean isTrue = evaluate(choose.condition(), scope, choose.place()).isTrue();
        run(isTrue ? choose.then() : choose.otherwise(), scope, inPipeline);
      } else if (step instanceof ScriptCommand.Pipeline pipeline) {
        run(pipeline.steps(), scope, true);
        send();
      } else if (step instanceof ScriptCommand.Sleep sleep) {
        sleep(sleep, scope);
      } else {
        send(); // \syncpipeline
      }
    }
  }

  private static Value evaluate(Expression expression, ScriptScope scope, String place) {
    try {
      return expression.evaluate(scope);
    } catch (ScriptException e) {
      throw e.at(place);
    }
  }

  private void add(SqlStatement statement, ScriptScope scope) {
    waiting.add(statement);
    for (String parameter : statement.parameters()) {
      try {
        parameters.add(scope.get(parameter));
      } catch (ScriptException e) {
        throw e.at(statement.place());
      }
    }
    inTransaction |= statement.kind() == SqlStatement.ScriptStatementKind.BEGIN;
  }

  /** Sends what is waiting and takes all answers; several statements go as one pipeline. */
  private PreparedStatement send() throws SQLException {
    PreparedStatement statement = prepared.get(waiting);
    if (statement == null) {
      List<SqlStatement> statements = List.copyOf(waiting);
      statement =
          connection.prepareStatement(
              String.join(";\n", statements.stream().map(SqlStatement::text).toList()));
      prepared.put(statements, statement);
    }
    for (int i = 0; i < parameters.size(); i++) {
      bind(statement, i + 1, parameters.get(i));
    }
    statement.execute();
    for (SqlStatement sent : waiting) {
      if (sent.kind() != SqlStatement.ScriptStatementKind.OTHER) {
        inTransaction = sent.kind() == SqlStatement.ScriptStatementKind.BEGIN;
      }
    }
    waiting.clear();
    parameters.clear();
    return statement;
  }

  private void bind(PreparedStatement statement, int index, Value value) throws SQLException {
    if (value == Value.ConstantValue.NULL) {
      statement.setNull(index, Types.NULL);
    } else if (typedByServer) {
      statement.setObject(index, value.text(), Types.OTHER);
    } else if (value instanceof Value.Whole whole) {
      statement.setLong(index, whole.number());
    } else if (value instanceof Value.Real real) {
      statement.setDouble(index, real.number());
    } else if (value instanceof Value.ConstantValue) {
      statement.setBoolean(index, value.isTrue());
    } else {
      statement.setString(index, value.text());
    }
  }

  private void readRow(
      PreparedStatement statement, ScriptCommand.QueryCommand query, ScriptScope scope)
      throws SQLException {
    try (ResultSet row = statement.getResultSet()) {
      if (row == null) {
        throw new ScriptException("\\gset: the statement returns no rows")
            .at(query.statement().place());
      }
      if (!row.next()) {
        throw new WrongDataException(query.statement().place() + ": no row for \\gset");
      }
      ResultSetMetaData columns = row.getMetaData();
      for (int column = 1; column <= columns.getColumnCount(); column++) {
        String label = query.prefix() + columns.getColumnLabel(column);
        String name = typedByServer ? label : label.toLowerCase(Locale.ROOT);
        if (variables.isRead(name)) {
          String text = row.getString(column);
          scope.set(name, text == null ? Value.ConstantValue.NULL : new Value.TextValue(text));
        }
      }
      if (row.next()) {
        throw new WrongDataException(query.statement().place() + ": several rows for \\gset");
      }
    }
  }

  private static void sleep(ScriptCommand.Sleep sleep, ScriptScope scope) throws SQLException {
    try {
      long number = evaluate(sleep.number(), scope, sleep.place()).asLong();
      TimeUnit.NANOSECONDS.sleep(number * sleep.unitNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("\\sleep was ended with the run", QUERY_CANCELED, e);
    }
  }
}
