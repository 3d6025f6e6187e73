package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.StatementPlan;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** FETCH, MOVE and CLOSE of cursors over several shards: forward only, in a transaction. */
public final class CursorStep implements Step {
  private final SqlCursors cursors;
  private final Execution execution;
  private final StatementPlan.Cursor plan;
  private final Arguments arguments;
  private @Nullable ScatterCursor fetched;
  private @Nullable Broadcast closing;

  CursorStep(
      Execution execution, SqlCursors cursors, StatementPlan.Cursor plan, Arguments arguments) {
    this.cursors = cursors;
    this.execution = execution;
    this.plan = plan;
    this.arguments = arguments;
  }

  @Override
  public boolean advance() {
    if (plan instanceof StatementPlan.FetchCursor fetch) {
      return fetch(fetch);
    }
    return close();
  }

  /** The shards' portals give text. */
  static void requireText(Arguments arguments) {
    if (!(arguments instanceof Arguments.Bound bound)) {
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
    ScatterCursor cursor = fetched;
    if (cursor == null) {
      cursor = cursors.scatter(fetch.name());
      if (fetch.count() == StatementPlan.FetchCursor.OTHER || isAgain(fetch, cursor)) {
        throw new StatementException(
            SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE,
            "cursor can only scan forward",
            "A cursor over several shards is fetched with NEXT, FORWARD, ALL or a count.");
      }
      if (fetch.move() && fetch.count() == 0) {
        execution.output().complete(cursor.isOnRow() ? "MOVE 1" : "MOVE 0");
        return true;
      }
      begin(fetch, cursor);
      fetched = cursor;
    }
    if (!cursor.advance()) {
      return false;
    }
    execution.output().complete((fetch.move() ? "MOVE " : "FETCH ") + cursor.passed());
    return true;
  }

  /** FETCH 0 gives the present row once more, for which the cursor would have to go back. */
  private static boolean isAgain(StatementPlan.FetchCursor fetch, ScatterCursor cursor) {
    return fetch.count() == 0 && !fetch.move() && cursor.isOnRow();
  }

  private void begin(StatementPlan.FetchCursor fetch, ScatterCursor cursor) {
    if (fetch.move()) {
      cursor.wantDropped(fetch.count());
      return;
    }
    requireText(arguments);
    if (arguments instanceof Arguments.Bound bound
        && bound.maxRows() > 0
        && bound.maxRows() < fetch.count()) {
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

  private boolean close() {
    if (!plan.name().isEmpty()) {
      cursors.close(plan.name());
    } else if (!closedAll()) {
      return false;
    }
    execution.output().complete("CLOSE CURSOR" + (plan.name().isEmpty() ? " ALL" : ""));
    return true;
  }

  private boolean closedAll() {
    if (closing == null) {
      Set<Integer> shards = cursors.closeAll();
      List<ServerConnection> servers = execution.participants().all();
      servers.removeIf(server -> !shards.contains(server.shard()));
      if (servers.isEmpty()) {
        return true;
      }
      closing = Broadcast.of(execution.output(), servers, "CLOSE ALL");
    }
    return closing.advance();
  }
}
