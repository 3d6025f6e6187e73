package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.Output;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.ReplayedChange;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.ScatterStrategy;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One client's statements over several shards, and those of their results that are not fetched to
 * the end. Belongs to the client's event loop.
 */
public final class Scatter {
  private static final String PORTAL_PREFIX = "shardmark portal ";

  private final Execution execution;
  private final SqlCursors cursors;

  /** Results whose portals servers may still have. */
  private List<ScatterCursor> open = List.of();

  private long count;

  public Scatter(Execution execution) {
    this.execution = execution;
    this.cursors = new SqlCursors(execution.transaction());
  }

  /**
   * The work for a statement over several shards.
   *
   * @throws io.shardmark.proxy.execution.StatementException if its parameters cannot be the same on
   *     all shards
   */
  public ExecutionStep step(PlannedStatement statement, Route.Several route, Arguments arguments) {
    ScatterStrategy strategy = route.strategy();
    if (arguments instanceof Arguments.BoundArguments bound
        && bound.maxRows() > 0
        && (strategy instanceof ScatterStrategy.Finish
            || strategy instanceof ScatterStrategy.Merge)) {
      return cursorOf(statement.sql(), route, bound).resume(bound);
    }
    return whole(execution, execution.output(), statement, route, arguments);
  }

  /**
   * The work for a statement that is executed to its end.
   *
   * @param reader gets the answer
   */
  public static ExecutionStep whole(
      Execution execution,
      Output reader,
      PlannedStatement statement,
      Route.Several route,
      Arguments arguments) {
    ScatterStrategy strategy = route.strategy();
    if (arguments instanceof Arguments.BoundArguments bound
        && strategy instanceof ScatterStrategy.Same) {
      SameParameters.require(bound);
    }
    if (strategy instanceof ScatterStrategy.Replay replay) {
      return ReplayStep.of(execution, route, replay, arguments);
    }
    return strategy instanceof ScatterStrategy.Finish
        ? FinalRows.forClient(execution, reader, statement.sql(), route, arguments)
        : new ScatterStep(execution, reader, statement, route, arguments);
  }

  /**
   * Gives all copies of a reference table the rows, or their values, that the first shard has
   * computed. The client is not answered.
   */
  public static ExecutionStep replay(Execution execution, ReplayedChange change) {
    return ReplayStep.unanswered(execution, change);
  }

  /** Locks reference tables on all shards, in the transaction of the client. */
  public ExecutionStep lockCopies(List<TableName> tables) {
    List<Integer> all = IntStream.range(0, execution.shardCount()).boxed().toList();
    ExecutionStep connected = () -> execution.participants().requireAll(all);
    return connected.then(() -> CopyLocks.of(execution, tables));
  }

  /** A result that is fetched in portions; its portals are not made yet. */
  ScatterCursor cursorOf(String sql, Route.Several route, Arguments arguments) {
    String name = PORTAL_PREFIX + Long.toString(++count);
    return new ScatterCursor(execution, sql, route, arguments, name, this::opened);
  }

  private void opened(ScatterCursor cursor) {
    List<ScatterCursor> alive = new ArrayList<>(open);
    alive.removeIf(each -> !each.isAlive());
    alive.add(cursor);
    open = alive;
  }

  /** The work for a DECLARE whose rows are on several shards. */
  public ExecutionStep declare(Route.SeveralForCursor route, Arguments arguments) {
    return new CursorSteps(execution, this, arguments).declare(route);
  }

  /** The work for FETCH, MOVE and CLOSE of cursors over several shards. */
  public ExecutionStep cursor(StatementPlan.Cursor plan, Arguments arguments) {
    return new CursorSteps(execution, this, arguments).of(plan);
  }

  /** Those that SQL has given names. */
  public SqlCursors cursors() {
    return cursors;
  }

  /** The client's transaction is over, and all open results with it. */
  public void transactionOver() {
    open.forEach(ScatterCursor::forget);
    open = List.of();
  }

  /** RELEASE SAVEPOINT. */
  public void released(int savepointsLeft) {
    open.forEach(cursor -> cursor.released(savepointsLeft));
    cursors.released(savepointsLeft);
  }

  /** ROLLBACK TO SAVEPOINT. */
  public void rolledBackTo(int savepoint) {
    open.forEach(cursor -> cursor.rolledBackTo(savepoint));
    cursors.rolledBackTo(savepoint);
  }
}
