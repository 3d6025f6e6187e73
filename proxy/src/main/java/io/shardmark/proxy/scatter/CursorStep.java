package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.TableName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** FETCH, MOVE and CLOSE of cursors over several shards: forward only, in a transaction. */
final class CursorStep implements ExecutionStep {
  private final Execution execution;
  private final SqlCursors cursors;
  private final StatementPlan.Cursor plan;
  private final Arguments arguments;
  private @Nullable ScatterCursor cursor;
  private @Nullable Broadcast closing;

  CursorStep(
      Execution execution, SqlCursors cursors, StatementPlan.Cursor plan, Arguments arguments) {
    this.execution = execution;
    this.cursors = cursors;
    this.plan = plan;
    this.arguments = arguments;
  }

  @Override
  public boolean advance() {
    return plan instanceof StatementPlan.FetchCursor fetch ? fetch(fetch) : close(plan.name());
  }

  /** The shards' portals give text. */
  static void requireText(Arguments arguments) {
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

  private boolean fetch(StatementPlan.FetchCursor fetch) {
    ScatterCursor fetched = cursor;
    if (fetched == null) {
      fetched = cursors.scatter(fetch.name());
      if (fetch.count() == StatementPlan.FetchCursor.OTHER || isAgain(fetch, fetched)) {
        throw new StatementException(
            SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE,
            "cursor can only scan forward",
            "A cursor over several shards is fetched with NEXT, FORWARD, ALL or a count.");
      }
      if (fetch.move() && fetch.count() == 0) {
        execution.output().complete(fetched.isOnRow() ? "MOVE 1" : "MOVE 0");
        return true;
      }
      begin(fetch, fetched);
      cursor = fetched;
    }
    if (!fetched.advance()) {
      return false;
    }
    execution.output().complete((fetch.move() ? "MOVE " : "FETCH ") + fetched.passed());
    return true;
  }

  /** FETCH 0 gives the present row once more, for which the cursor would have to go back. */
  private static boolean isAgain(StatementPlan.FetchCursor fetch, ScatterCursor cursor) {
    return fetch.count() == 0 && !fetch.move() && cursor.isOnRow();
  }

  private void begin(StatementPlan.FetchCursor fetch, ScatterCursor fetched) {
    if (fetch.move()) {
      fetched.wantDropped(fetch.count());
      return;
    }
    requireText(arguments);
    if (arguments.maxRows() > 0 && arguments.maxRows() < fetch.count()) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "a FETCH over several shards cannot be executed in portions",
          "Fetch fewer rows at a time.");
    }
    if (arguments instanceof Arguments.Text) {
      BackendMessages.rowDescription(execution.output().out(), fetched.fields());
    }
    fetched.want(fetch.count());
  }

  private boolean close(String name) {
    if (closing == null) {
      execution.transaction().followQuery(); // a server would take a snapshot for it
      List<ServerConnection> servers = execution.participants().all();
      if (name.isEmpty()) {
        cursors.closeAll();
      } else {
        int shard = cursors.close(name);
        servers.removeIf(server -> server.shard() != shard);
      }
      closing =
          Broadcast.of(
              execution.output(),
              servers,
              name.isEmpty() ? "CLOSE ALL" : "CLOSE " + TableName.quoted(name));
    }
    if (!closing.advance()) {
      return false;
    }
    execution.output().complete(name.isEmpty() ? "CLOSE CURSOR ALL" : "CLOSE CURSOR");
    return true;
  }
}
