package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.execution.Transaction.Mode;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.ScatterStrategy;
import io.shardmark.proxy.routing.StatementPlan;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** DECLARE of a cursor over several shards: forward only, in a transaction. */
public final class DeclareStep implements Step {
  private final SqlCursors cursors;
  private final OpenCursors open;
  private final Execution execution;
  private final StatementPlan.DeclareCursor declare;
  private final Route.Several rows;
  private final Arguments arguments;
  private @Nullable CursorOpening opening;

  DeclareStep(
      Execution execution,
      SqlCursors cursors,
      OpenCursors open,
      Route.SeveralForCursor route,
      Arguments arguments) {
    this.cursors = cursors;
    this.open = open;
    this.execution = execution;
    this.declare = route.cursor();
    this.rows = route.rows();
    this.arguments = arguments;
  }

  @Override
  public boolean advance() {
    CursorOpening work = opening;
    if (work == null) {
      refuse();
      CursorStep.requireText(arguments);
      work = new CursorOpening(execution, open, declare.sql(), rows, arguments);
      opening = work;
    }
    if (!work.advance()) {
      return false;
    }
    cursors.keep(declare.name(), Objects.requireNonNull(work.cursor()));
    execution.output().complete("DECLARE CURSOR");
    return true;
  }

  private boolean isQuery() {
    return rows.strategy() instanceof ScatterStrategy.Merge
        || rows.strategy() instanceof ScatterStrategy.Finish;
  }

  private void refuse() {
    cursors.requireNew(declare.name());
    if (execution.transaction().mode() == Mode.NONE && !declare.hold()) {
      throw new StatementException(
          SqlState.NO_ACTIVE_SQL_TRANSACTION,
          "DECLARE CURSOR can only be used in transaction blocks");
    }
    if (declare.hold() || !declare.plain() || !isQuery()) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "a cursor over several shards cannot be SCROLL, BINARY or WITH HOLD",
          "Declare it NO SCROLL, or fix the sharding column to one key.");
    }
  }
}
