package io.shardmark.proxy.session;

import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** DISCARD and DEALLOCATE: what the proxy keeps, and what pinned connections do. */
final class DiscardStep implements Step {
  private final ClientSession session;
  private final PlannedStatement statement;
  private final StatementPlan.Discard discard;
  private @Nullable Broadcast pinned;

  DiscardStep(ClientSession session, PlannedStatement statement, StatementPlan.Discard discard) {
    this.session = session;
    this.statement = statement;
    this.discard = discard;
  }

  @Override
  public boolean advance() {
    List<ServerConnection> held = session.links().all();
    if (session.links().isPinned() && !held.isEmpty()) {
      if (pinned == null) {
        pinned = Broadcast.of(session, held, statement.sql());
      }
      if (!pinned.advance()) {
        return false;
      }
      if (discard.scope() == StatementPlan.Discard.Scope.ALL
          || discard.scope() == StatementPlan.Discard.Scope.STATEMENTS) {
        held.forEach(ServerConnection::forgetPrepared);
      }
    }
    String tag = "DISCARD " + discard.scope();
    switch (discard.scope()) {
      case ALL -> {
        SimpleQueries.requireAlone(session, tag);
        session.extended().deallocate("");
        session.resetSettings();
      }
      case STATEMENTS -> {
        boolean all = discard.name().isEmpty();
        if (all || !session.links().isPinned()) {
          session.extended().deallocate(discard.name());
        }
        tag = all ? "DEALLOCATE ALL" : "DEALLOCATE";
      }
      case PLANS, SEQUENCES, TEMP -> {}
    }
    BackendMessages.commandComplete(session.out(), tag);
    return true;
  }
}
