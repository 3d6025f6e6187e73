package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.settings.Settings;
import io.shardmark.proxy.settings.SettingsState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** DISCARD and DEALLOCATE: what the proxy keeps, and what pinned connections do. */
final class DiscardStep implements Step {
  private final Client client;
  private final PlannedStatement statement;
  private final StatementPlan.Discard discard;
  private @Nullable Broadcast pinned;
  private @Nullable Broadcast reset;

  DiscardStep(Client client, PlannedStatement statement, StatementPlan.Discard discard) {
    this.client = client;
    this.statement = statement;
    this.discard = discard;
  }

  /** A server tells the client of the parameters that change; true when it has. */
  private boolean isReset(List<ServerConnection> held) {
    Broadcast sent = reset;
    if (sent == null) {
      Settings first = client.clientSettings().first();
      if (pinned == null && client.clientSettings().base().is(first)) {
        return true;
      }
      List<ServerConnection> servers = held;
      if (pinned == null) {
        ServerConnection any = client.links().require(client.links().anyShard());
        servers = any == null ? List.of() : List.of(any);
      }
      if (servers.isEmpty()) {
        return false;
      }
      Map<ServerConnection, String> texts = new LinkedHashMap<>();
      servers.forEach(server -> texts.put(server, String.join("; ", server.statementsTo(first))));
      sent =
          new Broadcast(client.output(), texts)
              .changing((before, values) -> SettingsState.of(first));
      reset = sent;
    }
    return sent.advance();
  }

  @Override
  public boolean advance() {
    if (discard.scope() == StatementPlan.Discard.Scope.ALL) {
      client.transaction().refuseInside("DISCARD ALL");
    }
    List<ServerConnection> held = client.links().all();
    boolean own =
        discard.scope() == StatementPlan.Discard.Scope.STATEMENTS
            && !discard.name().isEmpty()
            && client.statements().isPrepared(discard.name());
    if (client.links().isPinned() && !held.isEmpty() && !own) {
      if (pinned == null) {
        pinned = Broadcast.of(client.output(), held, statement.sql());
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
        client.statements().deallocate("");
        client.clientSettings().beginWith(client.clientSettings().first());
      }
      case STATEMENTS -> {
        boolean all = discard.name().isEmpty();
        if (all || own || !client.links().isPinned()) {
          client.statements().deallocate(discard.name());
        }
        tag = all ? "DEALLOCATE ALL" : "DEALLOCATE";
      }
      case PLANS, SEQUENCES, TEMP -> {}
    }
    BackendMessages.commandComplete(client.out(), tag);
    return true;
  }
}
