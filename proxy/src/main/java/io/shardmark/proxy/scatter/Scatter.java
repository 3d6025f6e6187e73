package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.ScatterStrategy;
import io.shardmark.proxy.routing.StatementPlan;

/**
 * One client's statements over several shards, and those of their results that are not fetched to
 * the end. Belongs to the client's event loop.
 */
public final class Scatter {
  private final Execution execution;
  private final OpenCursors open;
  private final SqlCursors cursors;

  public Scatter(Execution execution) {
    this.execution = execution;
    this.open = new OpenCursors(execution);
    this.cursors = new SqlCursors(execution.transaction());
  }

  /**
   * The work for a statement over several shards.
   *
   * @throws io.shardmark.proxy.execution.StatementException if its parameters cannot be the same on
   *     all shards
   */
  public Step step(PlannedStatement statement, Route.Several route, Arguments arguments) {
    ScatterStrategy strategy = route.strategy();
    boolean computed = strategy instanceof ScatterStrategy.Finish;
    if (arguments instanceof Arguments.Bound bound) {
      if (bound.maxRows() > 0 && (computed || strategy instanceof ScatterStrategy.Merge)) {
        CursorOpening opening = new CursorOpening(execution, open, statement.sql(), route, bound);
        return new PortalStep(execution, bound, opening);
      }
      if (strategy instanceof ScatterStrategy.Same) {
        SameParameters.require(bound);
      }
    }
    if (computed) {
      GatheredRows gathered = new GatheredRows(execution, statement.sql(), route, arguments);
      return new FinalRows(execution, gathered, arguments);
    }
    return new ScatterStep(execution, statement, route, arguments);
  }

  /** The work for a DECLARE whose rows are on several shards. */
  public Step declare(Route.SeveralForCursor route, Arguments arguments) {
    return new DeclareStep(execution, cursors, open, route, arguments);
  }

  /** The work for FETCH, MOVE and CLOSE of cursors over several shards. */
  public Step cursor(StatementPlan.Cursor plan, Arguments arguments) {
    return new CursorStep(execution, cursors, plan, arguments);
  }

  /** Those that SQL has given names. */
  public SqlCursors cursors() {
    return cursors;
  }

  /** The client's transaction is over, and all open results with it. */
  public void transactionOver() {
    open.forget();
  }

  /** RELEASE SAVEPOINT. */
  public void released(int savepointsLeft) {
    open.released(savepointsLeft);
  }

  /** ROLLBACK TO SAVEPOINT. */
  public void rolledBackTo(int savepoint) {
    open.rolledBackTo(savepoint);
  }
}
