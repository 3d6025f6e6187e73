package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.SqlState;
import org.jspecify.annotations.Nullable;

/** An Execute of a merged result with a row limit, or a further one of the same portal. */
final class PortalStep implements Step {
  private final Execution execution;
  private final Arguments.Bound bound;
  private final @Nullable CursorOpening opening;
  private @Nullable ScatterCursor cursor;
  private boolean fetching;

  /** The first Execute. */
  PortalStep(Execution execution, Arguments.Bound bound, CursorOpening opening) {
    this.execution = execution;
    this.bound = bound;
    this.opening = opening;
  }

  /** A further one. */
  PortalStep(Execution execution, Arguments.Bound bound, ScatterCursor cursor) {
    this.execution = execution;
    this.bound = bound;
    this.opening = null;
    this.cursor = cursor;
  }

  @Override
  public boolean advance() {
    if (!fetching) {
      if (opening != null && !opened(opening)) {
        return false;
      }
      fetching = true;
      living().want(bound.maxRows() <= 0 ? Long.MAX_VALUE : bound.maxRows());
    }
    ScatterCursor fetched = living();
    if (!fetched.advance()) {
      return false;
    }
    if (bound.maxRows() > 0 && fetched.passed() == bound.maxRows()) {
      BackendMessages.portalSuspended(execution.output().out());
    } else {
      execution.output().complete("SELECT " + fetched.passed());
    }
    return true;
  }

  private boolean opened(CursorOpening work) {
    boolean done = work.advance();
    ScatterCursor made = work.cursor();
    if (made != null && cursor == null) {
      cursor = made;
      bound.portal().keep(made);
    }
    return done;
  }

  private ScatterCursor living() {
    ScatterCursor known = cursor;
    if (known == null || !known.isAlive()) {
      throw new StatementException(
          SqlState.INVALID_CURSOR_NAME, "the portal ended with its transaction or savepoint");
    }
    return known;
  }
}
