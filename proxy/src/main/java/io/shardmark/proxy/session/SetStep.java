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
  private final Arguments arguments;
  private @Nullable Broadcast sent;
  private List<ServerConnection> servers = List.of();

  SetStep(
      ClientSession session,
      PlannedStatement statement,
      StatementPlan.SetParameter set,
      Arguments arguments) {
    this.session = session;
    this.statement = statement;
    this.set = set;
    this.arguments = arguments;
  }

  @Override
  public boolean advance() {
    Broadcast broadcast = sent;
    if (broadcast == null) {
      if (!findServers()) {
        return false;
      }
      broadcast = Broadcast.of(session, servers, text());
      if (set.byFunction()) {
        // In the extended protocol a Describe has told the columns.
        broadcast.showRows(arguments instanceof Arguments.Text ? "TD" : "D");
      }
      sent = broadcast;
    }
    if (!broadcast.advance()) {
      return false;
    }
    keep();
    BackendMessages.commandComplete(session.out(), set.byFunction() ? "SELECT 1" : statement.tag());
    return true;
  }

  /** What servers are told: to reset a parameter is to go back to what the client began with. */
  private String text() {
    SessionSettings first = session.firstSettings();
    if (!set.reset() || first.statements().isEmpty()) {
      return statement.sql();
    }
    if (set.local()) {
      String atFirst = first.statements().get(set.name());
      return atFirst == null ? statement.sql() : StartupSettings.local(atFirst);
    }
    if (set.name().equals("all")) {
      return "RESET ALL; " + String.join("; ", SessionSettings.NONE.statementsTo(first));
    }
    return first.statements().getOrDefault(set.name(), statement.sql());
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
    ServerConnection server = links.require(session.links().anyShard());
    if (server == null) {
      return false;
    }
    servers = List.of(server);
    return true;
  }

  private void keep() {
    if (set.local()) {
      if (session.transaction().mode() != Mode.NONE) {
        session.transaction().addLocalSetting(localSetting());
      }
      return;
    }
    if (!session.transaction().localSettings().isEmpty()) {
      // On shards that are reached later it has to come after them.
      session.transaction().addLocalSetting(localSetting());
    }
    session.setSettings(changed(session.settings(), session.firstSettings()));
    servers.forEach(server -> server.setSettings(session.settings()));
  }

  private LocalSetting localSetting() {
    boolean toTheStart =
        set.reset() && !session.firstSettings().statements().containsKey(set.name());
    return new LocalSetting(set.name(), text(), toTheStart);
  }

  private SessionSettings changed(SessionSettings before, SessionSettings first) {
    String name = set.name();
    if (name.equals("session characteristics")) {
      return TransactionDefaults.with(before, statement.sql());
    }
    if (set.reset() && name.equals("all")) {
      return first.withIdentityOf(before);
    }
    // The role goes with the session user.
    SessionSettings kept =
        name.equals(SessionSettings.SESSION_USER) ? before.without(SessionSettings.ROLE) : before;
    if (!set.reset()) {
      return kept.with(name, statement.sql());
    }
    String atFirst = first.statements().get(name);
    return atFirst == null ? kept.without(name) : kept.with(name, atFirst);
  }
}
