package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.ScatterStrategy;
import io.shardmark.proxy.routing.StatementPlan;
import org.jspecify.annotations.Nullable;

/** DECLARE of a cursor over several shards: forward only, in a transaction. */
final class DeclareStep implements ExecutionStep {
  private final Execution execution;
  private final Scatter scatter;
  private final Route.SeveralForCursor route;
  private final Arguments arguments;
  private @Nullable ScatterCursor cursor;

  DeclareStep(
      Execution execution, Scatter scatter, Route.SeveralForCursor route, Arguments arguments) {
    this.execution = execution;
    this.scatter = scatter;
    this.route = route;
    this.arguments = arguments;
  }

  @Override
  public boolean advance() {
    StatementPlan.DeclareCursor declare = route.cursor();
    ScatterCursor declared = cursor;
    if (declared == null) {
      refuse(declare);
      CursorStep.requireText(arguments);
      declared = scatter.cursorOf(declare.sql(), route.rows(), arguments);
      cursor = declared;
    }
    if (!declared.open()) {
      return false;
    }
    scatter.cursors().keep(declare.name(), declared);
    execution.output().complete("DECLARE CURSOR");
    return true;
  }

  private void refuse(StatementPlan.DeclareCursor declare) {
    scatter.cursors().requireNew(declare.name());
    if (execution.transaction().mode() == Transaction.EndMode.NONE && !declare.hold()) {
      throw new StatementException(
          SqlState.NO_ACTIVE_SQL_TRANSACTION,
          "DECLARE CURSOR can only be used in transaction blocks");
    }
    ScatterStrategy strategy = route.rows().strategy();
    boolean isQuery =
        strategy instanceof ScatterStrategy.Merge || strategy instanceof ScatterStrategy.Finish;
    if (declare.hold() || !declare.plain() || !isQuery) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "a cursor over several shards cannot be SCROLL, BINARY or WITH HOLD",
          "Declare it NO SCROLL, or fix the sharding column to one key.");
    }
  }
}
