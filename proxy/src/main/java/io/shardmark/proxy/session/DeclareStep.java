package io.shardmark.proxy.session;

import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Spread;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.session.Transaction.Mode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** DECLARE of a cursor over several shards: forward only, in a transaction. */
final class DeclareStep implements Step {
  private final ClientSession session;
  private final StatementPlan.DeclareCursor declare;
  private final Route.Several rows;
  private final Arguments arguments;
  private @Nullable CursorOpening opening;

  DeclareStep(ClientSession session, Route.SeveralForCursor route, Arguments arguments) {
    this.session = session;
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
      work = new CursorOpening(session, rows, arguments);
      opening = work;
    }
    if (!work.advance()) {
      return false;
    }
    session.end().cursors().named().keep(declare.name(), Objects.requireNonNull(work.cursor()));
    BackendMessages.commandComplete(session.out(), "DECLARE CURSOR");
    return true;
  }

  private void refuse() {
    session.end().cursors().named().requireNew(declare.name());
    if (session.transaction().mode() == Mode.NONE && !declare.hold()) {
      throw new StatementException(
          SqlState.NO_ACTIVE_SQL_TRANSACTION,
          "DECLARE CURSOR can only be used in transaction blocks");
    }
    if (rows.spread() instanceof Spread.Finish) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "a cursor over several shards cannot have expressions over aggregates",
          "Execute the query without a cursor, or fix the sharding column to one key.");
    }
    if (declare.hold() || !declare.plain() || !(rows.spread() instanceof Spread.Merge)) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "a cursor over several shards cannot be SCROLL, BINARY or WITH HOLD",
          "Declare it NO SCROLL, or fix the sharding column to one key.");
    }
  }
}
