package io.shardmark.proxy.session;

import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.StatementPlan;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** FETCH, MOVE and CLOSE of cursors over several shards: forward only, in a transaction. */
final class CursorStep implements Step {
  private final ClientSession session;
  private final StatementPlan.Cursor plan;
  private final Arguments arguments;
  private @Nullable ScatterCursor fetched;
  private @Nullable Broadcast closing;

  CursorStep(ClientSession session, StatementPlan.Cursor plan, Arguments arguments) {
    this.session = session;
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
      cursor = session.end().cursors().named().scatter(fetch.name());
      if (fetch.count() == StatementPlan.FetchCursor.OTHER || isAgain(fetch, cursor)) {
        throw new StatementException(
            SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE,
            "cursor can only scan forward",
            "A cursor over several shards is fetched with NEXT, FORWARD, ALL or a count.");
      }
      if (fetch.move() && fetch.count() == 0) {
        BackendMessages.commandComplete(session.out(), cursor.isOnRow() ? "MOVE 1" : "MOVE 0");
        return true;
      }
      begin(fetch, cursor);
      fetched = cursor;
    }
    if (!cursor.advance()) {
      return false;
    }
    BackendMessages.commandComplete(
        session.out(), (fetch.move() ? "MOVE " : "FETCH ") + cursor.passed());
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
      BackendMessages.rowDescription(session.out(), cursor.fields());
    }
    cursor.want(fetch.count());
  }

  private boolean close() {
    if (!plan.name().isEmpty()) {
      session.end().cursors().named().close(plan.name());
    } else if (!closedAll()) {
      return false;
    }
    BackendMessages.commandComplete(
        session.out(), "CLOSE CURSOR" + (plan.name().isEmpty() ? " ALL" : ""));
    return true;
  }

  private boolean closedAll() {
    if (closing == null) {
      Set<Integer> shards = session.end().cursors().named().closeAll();
      List<ServerConnection> servers = session.links().all();
      servers.removeIf(server -> !shards.contains(server.shard()));
      if (servers.isEmpty()) {
        return true;
      }
      closing = Broadcast.of(session, servers, "CLOSE ALL");
    }
    return closing.advance();
  }
}
