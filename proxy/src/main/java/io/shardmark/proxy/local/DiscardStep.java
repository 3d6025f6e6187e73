package io.shardmark.proxy.local;

import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.ClientSettings;
import io.shardmark.proxy.execution.ClientStatements;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.settings.Settings;
import io.shardmark.proxy.settings.SettingsState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** DISCARD and DEALLOCATE: what the proxy keeps, and what pinned connections do. */
public final class DiscardStep implements Step {
  private final Execution execution;
  private final ClientSettings settings;
  private final ClientStatements statements;
  private final PlannedStatement statement;
  private final StatementPlan.Discard discard;
  private @Nullable Broadcast pinned;
  private @Nullable Broadcast reset;

  public DiscardStep(
      Execution execution,
      ClientSettings settings,
      ClientStatements statements,
      PlannedStatement statement,
      StatementPlan.Discard discard) {
    this.execution = execution;
    this.settings = settings;
    this.statements = statements;
    this.statement = statement;
    this.discard = discard;
  }

  /** A server tells the client of the parameters that change; true when it has. */
  private boolean isReset(List<ServerConnection> held) {
    Broadcast sent = reset;
    if (sent == null) {
      Settings first = settings.first();
      if (pinned == null && settings.base().is(first)) {
        return true;
      }
      List<ServerConnection> servers = held;
      if (pinned == null) {
        ServerConnection any =
            execution.participants().require(execution.participants().anyShard());
        servers = any == null ? List.of() : List.of(any);
      }
      if (servers.isEmpty()) {
        return false;
      }
      Map<ServerConnection, List<String>> texts = new LinkedHashMap<>();
      servers.forEach(server -> texts.put(server, server.statementsTo(first)));
      sent =
          new Broadcast(execution.output(), texts)
              .changing((before, values) -> SettingsState.of(first));
      reset = sent;
    }
    return sent.advance();
  }

  @Override
  public boolean advance() {
    if (discard.scope() == StatementPlan.Discard.Scope.ALL) {
      execution.transaction().refuseInside("DISCARD ALL");
    }
    List<ServerConnection> held = execution.participants().all();
    boolean own =
        discard.scope() == StatementPlan.Discard.Scope.STATEMENTS
            && !discard.name().isEmpty()
            && statements.isPrepared(discard.name());
    if (execution.participants().isPinned() && !held.isEmpty() && !own) {
      if (pinned == null) {
        pinned = Broadcast.of(execution.output(), held, statement.sql());
        if (discard.scope() == StatementPlan.Discard.Scope.ALL) {
          held.forEach(server -> server.changed(SettingsState::unknown));
        }
      }
      if (!pinned.advance()) {
        return false;
      }
      if (discard.scope() == StatementPlan.Discard.Scope.ALL
          || discard.scope() == StatementPlan.Discard.Scope.STATEMENTS) {
        held.forEach(ServerConnection::forgetPrepared);
      }
    }
    if (discard.scope() == StatementPlan.Discard.Scope.ALL && !isReset(held)) {
      return false;
    }
    String tag = "DISCARD " + discard.scope();
    switch (discard.scope()) {
      case ALL -> {
        statements.deallocate("");
        settings.beginWith(settings.first());
      }
      case STATEMENTS -> {
        boolean all = discard.name().isEmpty();
        if (all || own || !execution.participants().isPinned()) {
          statements.deallocate(discard.name());
        }
        tag = all ? "DEALLOCATE ALL" : "DEALLOCATE";
      }
      case PLANS, SEQUENCES, TEMP -> {}
    }
    execution.output().complete(tag);
    return true;
  }
}
