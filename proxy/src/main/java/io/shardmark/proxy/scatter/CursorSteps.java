package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.ScatterStrategy;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.TableName;
import java.util.List;

/**
 * DECLARE, FETCH, MOVE and CLOSE of cursors over several shards: forward only, in a transaction.
 *
 * @param arguments of the statement
 */
record CursorSteps(Execution execution, Scatter scatter, Arguments arguments) {
  ExecutionStep declare(Route.SeveralForCursor route) {
    return ExecutionStep.DONE.then(
        () -> {
          StatementPlan.DeclareCursor declare = route.cursor();
          refuse(declare, route.rows().strategy());
          requireText();
          ScatterCursor declared = scatter.cursorOf(declare.sql(), route.rows(), arguments);
          ExecutionStep opened = declared::open;
          return opened.thenDo(
              () -> {
                scatter.cursors().keep(declare.name(), declared);
                execution.output().complete("DECLARE CURSOR");
              });
        });
  }

  private void refuse(StatementPlan.DeclareCursor declare, ScatterStrategy strategy) {
    scatter.cursors().requireNew(declare.name());
    if (execution.transaction().mode() == Transaction.EndMode.NONE && !declare.hold()) {
      throw new StatementException(
          SqlState.NO_ACTIVE_SQL_TRANSACTION,
          "DECLARE CURSOR can only be used in transaction blocks");
    }
    boolean isQuery =
        strategy instanceof ScatterStrategy.Merge || strategy instanceof ScatterStrategy.Finish;
    if (declare.hold() || !declare.plain() || !isQuery) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "a cursor over several shards cannot be SCROLL, BINARY or WITH HOLD",
          "Declare it NO SCROLL, or fix the sharding column to one key.");
    }
  }

  /** The shards' portals give text. */
  private void requireText() {
    if (!(arguments instanceof Arguments.BoundArguments bound)) {
      return;
    }
    for (int i = 0; i < bound.bind().resultFormatCount(); i++) {
      if (bound.bind().resultFormat(i) != 0) {
        throw new StatementException(
            SqlState.FEATURE_NOT_SUPPORTED,
            "a cursor in SQL over several shards gives its rows in text format",
            "Ask for text, or use a portal of the protocol, as setFetchSize of JDBC does.");
      }
    }
  }

  /** FETCH, MOVE and CLOSE. */
  ExecutionStep of(StatementPlan.Cursor plan) {
    return ExecutionStep.DONE.then(
        () -> plan instanceof StatementPlan.FetchCursor fetch ? fetch(fetch) : close(plan.name()));
  }

  private ExecutionStep fetch(StatementPlan.FetchCursor fetch) {
    ScatterCursor cursor = scatter.cursors().scatter(fetch.name());
    // FETCH 0 gives the present row once more, for which the cursor would have to go back.
    boolean isAgain = fetch.count() == 0 && !fetch.move() && cursor.isOnRow();
    if (fetch.count() == StatementPlan.FetchCursor.OTHER || isAgain) {
      throw new StatementException(
          SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE,
          "cursor can only scan forward",
          "A cursor over several shards is fetched with NEXT, FORWARD, ALL or a count.");
    }
    if (fetch.move() && fetch.count() == 0) {
      String tag = cursor.isOnRow() ? "MOVE 1" : "MOVE 0";
      return ExecutionStep.DONE.thenDo(() -> execution.output().complete(tag));
    }
    begin(fetch, cursor);
    ExecutionStep fetched = cursor::advance;
    return fetched.thenDo(
        () -> execution.output().complete((fetch.move() ? "MOVE " : "FETCH ") + cursor.passed()));
  }

  private void begin(StatementPlan.FetchCursor fetch, ScatterCursor cursor) {
    if (fetch.move()) {
      cursor.wantDropped(fetch.count());
      return;
    }
    requireText();
    if (arguments.maxRows() > 0 && arguments.maxRows() < fetch.count()) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "a FETCH over several shards cannot be executed in portions",
          "Fetch fewer rows at a time.");
    }
    if (arguments instanceof Arguments.Text) {
      BackendMessages.rowDescription(execution.output().out(), cursor.fields());
    }
    cursor.want(fetch.count());
  }

  private ExecutionStep close(String name) {
    execution.transaction().followQuery(); // a server would take a snapshot for it
    List<ServerConnection> servers = execution.participants().all();
    String sql = "CLOSE ALL";
    if (name.isEmpty()) {
      scatter.cursors().closeAll();
    } else {
      int shard = scatter.cursors().close(name);
      servers.removeIf(server -> server.shard() != shard);
      sql = "CLOSE " + TableName.quoted(name);
    }
    return Broadcast.of(execution.output(), servers, sql)
        .thenDo(
            () ->
                execution.output().complete(name.isEmpty() ? "CLOSE CURSOR ALL" : "CLOSE CURSOR"));
  }
}
