package io.shardmark.proxy.local;

import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.ClientSettings;
import io.shardmark.proxy.execution.ClientStatements;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.Participants;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.routing.StatementPlan.Discard.DiscardScope;
import io.shardmark.proxy.settings.Settings;
import io.shardmark.proxy.settings.SettingsState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** DISCARD and DEALLOCATE: what the proxy keeps, and what pinned connections do. */
public record DiscardStep(
    Execution execution,
    ClientSettings settings,
    ClientStatements statements,
    PlannedStatement statement,
    StatementPlan.Discard discard) {
  public ExecutionStep step() {
    return ExecutionStep.DONE.then(this::onServers).thenDo(this::onProxy);
  }

  private boolean isAll() {
    return discard.scope() == DiscardScope.ALL;
  }

  /** Whether it names a statement that the proxy keeps. */
  private boolean isOwn() {
    return discard.scope() == DiscardScope.STATEMENTS
        && !discard.name().isEmpty()
        && statements.find(discard.name()) != null;
  }

  private ExecutionStep onServers() {
    if (isAll()) {
      execution.transaction().refuseInside("DISCARD ALL");
    }
    Participants participants = execution.participants();
    List<ServerConnection> held = participants.all();
    if (!participants.isPinned() || held.isEmpty() || isOwn()) {
      return isAll() && !settings.base().is(settings.first())
          ? ExecutionStep.with(
              () -> participants.require(participants.anyShard()), any -> reset(List.of(any)))
          : ExecutionStep.DONE;
    }
    Broadcast pinned = Broadcast.of(execution.output(), held, statement.sql());
    if (isAll()) {
      held.forEach(server -> server.dialog().changed(SettingsState::unknown));
    }
    return pinned.then(
        () -> {
          if (isAll() || discard.scope() == DiscardScope.STATEMENTS) {
            held.forEach(server -> server.dialog().forgetPrepared());
          }
          return isAll() ? reset(held) : ExecutionStep.DONE;
        });
  }

  /** A server reports the parameters that change. */
  private ExecutionStep reset(List<ServerConnection> servers) {
    Settings first = settings.first();
    Map<ServerConnection, List<String>> texts = new LinkedHashMap<>();
    servers.forEach(server -> texts.put(server, server.statementsTo(first)));
    return new Broadcast(execution.output(), texts)
        .changing((before, values) -> SettingsState.of(first));
  }

  private void onProxy() {
    String tag = "DISCARD " + discard.scope();
    switch (discard.scope()) {
      case ALL -> {
        statements.deallocate("");
        settings.beginWith(settings.first());
      }
      case STATEMENTS -> {
        if (discard.name().isEmpty() || isOwn() || !execution.participants().isPinned()) {
          statements.deallocate(discard.name());
        } else {
          statements.forget(discard.name());
        }
        tag = discard.name().isEmpty() ? "DEALLOCATE ALL" : "DEALLOCATE";
      }
      case PLANS, SEQUENCES, TEMP -> {}
    }
    execution.output().complete(tag);
  }
}
