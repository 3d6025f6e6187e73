package io.shardmark.proxy.session;

import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Route;
import org.jspecify.annotations.Nullable;

/** An Execute of a merged result with a row limit, or a further one of the same portal. */
final class PortalStep implements Step {
  private final ClientSession session;
  private final Arguments.Bound bound;
  private final @Nullable CursorOpening opening;
  private boolean fetching;

  private PortalStep(
      ClientSession session, Arguments.Bound bound, @Nullable CursorOpening opening) {
    this.session = session;
    this.bound = bound;
    this.opening = opening;
  }

  static Step first(ClientSession session, Route.Several route, Arguments.Bound bound) {
    return new PortalStep(session, bound, new CursorOpening(session, route, bound));
  }

  static Step further(ClientSession session, Arguments.Bound bound) {
    return new PortalStep(session, bound, null);
  }

  @Override
  public boolean advance() {
    if (!fetching) {
      if (opening != null && !opened(opening)) {
        return false;
      }
      fetching = true;
      cursor().want(bound.maxRows() <= 0 ? Long.MAX_VALUE : bound.maxRows());
    }
    ScatterCursor cursor = cursor();
    if (!cursor.advance()) {
      return false;
    }
    if (bound.maxRows() > 0 && cursor.passed() == bound.maxRows()) {
      BackendMessages.portalSuspended(session.out());
    } else {
      BackendMessages.commandComplete(session.out(), "SELECT " + cursor.passed());
    }
    return true;
  }

  private boolean opened(CursorOpening work) {
    boolean done = work.advance();
    ScatterCursor made = work.cursor();
    if (made != null && bound.portal().cursor() != made) {
      bound.portal().keepCursor(made);
    }
    return done;
  }

  private ScatterCursor cursor() {
    ScatterCursor cursor = bound.portal().cursor();
    if (cursor == null || !cursor.isAlive()) {
      throw new StatementException(
          SqlState.INVALID_CURSOR_NAME, "the portal ended with its transaction or savepoint");
    }
    return cursor;
  }
}
