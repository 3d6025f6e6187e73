package io.shardmark.proxy.session;

import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.pool.SessionSettings;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.session.Transaction.Mode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SET and RESET: a server validates it, the session keeps it for all servers to come. */
final class SetStep implements Step {
  private final ClientSession session;
  private final PlannedStatement statement;
  private final StatementPlan.SetParameter set;
  private @Nullable Broadcast sent;
  private List<ServerConnection> servers = List.of();

  SetStep(ClientSession session, PlannedStatement statement, StatementPlan.SetParameter set) {
    this.session = session;
    this.statement = statement;
    this.set = set;
  }

  @Override
  public boolean advance() {
    Broadcast broadcast = sent;
    if (broadcast == null) {
      if (!findServers()) {
        return false;
      }
      broadcast = Broadcast.of(session, servers, statement.sql());
      sent = broadcast;
    }
    if (!broadcast.advance()) {
      return false;
    }
    keep();
    String tag = broadcast.tag();
    BackendMessages.commandComplete(session.out(), tag == null ? "SET" : tag);
    return true;
  }

  private boolean findServers() {
    Links links = session.links();
    if (session.transaction().mode() != Mode.NONE && !links.enlisted().isEmpty()) {
      List<Integer> shards = links.enlisted().stream().map(ServerConnection::shard).toList();
      if (!links.requireAll(shards)) {
        return false;
      }
      servers = links.enlisted();
      return true;
    }
    ServerConnection server = links.require(session.choice().anyShard());
    if (server == null) {
      return false;
    }
    servers = List.of(server);
    return true;
  }

  private void keep() {
    if (set.local()) {
      if (session.transaction().mode() != Mode.NONE) {
        session.transaction().addLocalSetting(statement.sql());
      }
      return;
    }
    SessionSettings now;
    if (set.name().equals("session characteristics")) {
      now = TransactionDefaults.with(session.settings(), statement.sql());
    } else if (!set.reset()) {
      now = session.settings().with(set.name(), statement.sql());
    } else if (set.name().equals("all")) {
      now = session.firstSettings();
    } else {
      now = session.settings().without(set.name());
    }
    session.setSettings(now);
    servers.forEach(server -> server.setSettings(session.settings()));
  }
}
