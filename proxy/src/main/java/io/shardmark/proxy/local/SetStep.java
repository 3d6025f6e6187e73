package io.shardmark.proxy.local;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.ClientSettings;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.Participants;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.BindReader;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Severity;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.settings.Settings;
import io.shardmark.proxy.settings.SettingsSql;
import io.shardmark.proxy.settings.SettingsState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * SET and RESET: the servers of the transaction, or any, execute it and say what the value is now;
 * the session keeps that for all servers to come.
 */
public record SetStep(
    Execution execution,
    ClientSettings settings,
    PlannedStatement statement,
    StatementPlan.SetParameter set,
    Arguments arguments) {
  private static final String ALL = "all";
  private static final String CONSTRAINTS = "constraints";

  public ExecutionStep step() {
    return ExecutionStep.DONE
        .thenDo(this::warn)
        .then(() -> ExecutionStep.with(this::servers, this::send));
  }

  private ExecutionStep send(List<ServerConnection> servers) {
    Map<ServerConnection, List<String>> texts = new LinkedHashMap<>();
    servers.forEach(server -> texts.put(server, statements(server)));
    servers.forEach(server -> server.dialog().mayExist(Settings.custom(set.parameters())));
    Broadcast broadcast = new Broadcast(execution.output(), texts).changing(this::settingsAfter);
    if (set.byFunction()) {
      broadcast.showRows();
      if (arguments instanceof Arguments.Text) { // else a Describe has named the columns
        broadcast.showDescription();
      }
    }
    return broadcast.thenDo(
        () -> {
          List<String> values = broadcast.values();
          settings.change(before -> settingsAfter(before, values));
          execution
              .output()
              .complete(set.byFunction() ? "SELECT " + values.size() : statement.tag());
        });
  }

  /** In a transaction that is begun for it alone a server would not warn. */
  private void warn() {
    if (arguments.protocol() == Arguments.Protocol.EXTENDED
        && execution.transaction().mode() == Transaction.EndMode.NONE
        && !set.byFunction()
        && (set.local() || set.name().equals(CONSTRAINTS))) {
      String what = set.name().equals(CONSTRAINTS) ? "SET CONSTRAINTS" : "SET LOCAL";
      BackendMessages.noticeResponse(
          execution.output().out(),
          ErrorFields.of(
              Severity.WARNING,
              SqlState.NO_ACTIVE_SQL_TRANSACTION,
              what + " can only be used in transaction blocks"));
    }
  }

  /** Those of the transaction, or one; null: not yet. */
  private @Nullable List<ServerConnection> servers() {
    settings.mayExist(Settings.custom(set.parameters()));
    Participants participants = execution.participants();
    Transaction transaction = execution.transaction();
    // It is undone if something fails before the Sync.
    if (arguments.protocol() == Arguments.Protocol.EXTENDED && !participants.inTransaction()) {
      return null;
    }
    List<ServerConnection> enlisted = participants.enlisted();
    if (transaction.mode() != Transaction.EndMode.NONE && !enlisted.isEmpty()) {
      return participants.requireEnlisted() ? participants.enlisted() : null;
    }
    ServerConnection server = participants.require(participants.anyShard());
    return server == null ? null : List.of(server);
  }

  /** To reset a parameter is to go back to what the client began with. */
  private List<String> statements(ServerConnection server) {
    List<String> statements = new ArrayList<>();
    Optional<String> atFirst = settings.first().value(set.name());
    if (set.reset() && atFirst.isPresent()) {
      String value = atFirst.get();
      return List.of(
          set.local()
              ? SettingsSql.setLocal(set.name(), value)
              : SettingsSql.set(set.name(), value));
    }
    statements.add(text());
    if (set.reset() && set.name().equals(ALL)) {
      statements.addAll(SettingsSql.parameters(server.settingsAtLogin(), settings.first()));
      // To the server these are not at their default: it has been sent their values.
      server
          .dialog()
          .settings()
          .hidden(settings.first())
          .only(settings.first().values().keySet())
          .values()
          .forEach(
              (name, value) -> {
                statements.add(SettingsSql.set(name, value));
                statements.add(
                    SettingsSql.setLocal(name, settings.first().value(name).orElseThrow()));
              });
    } else if (!set.reset() && !set.byFunction() && lasts()) {
      set.parameters().forEach(name -> statements.add(SettingsSql.show(name)));
    }
    return statements;
  }

  /** With the value of the parameter that a call of set_config may have. */
  private String text() {
    if (!(arguments instanceof Arguments.BoundArguments bound)
        || bound.bind().parameterCount() == 0) {
      return statement.sql();
    }
    BindReader bind = bound.bind();
    int length = bind.valueLength(0);
    String value =
        length < 0
            ? "NULL"
            : SettingsSql.literal(
                bind.buffer().toString(bind.valueStart(0), length, StandardCharsets.UTF_8));
    int at = statement.sql().lastIndexOf("$1");
    return statement.sql().substring(0, at) + value + statement.sql().substring(at + 2);
  }

  /** Whether the value still counts when the statement is over, and can be asked for. */
  private boolean lasts() {
    return !set.name().equals(CONSTRAINTS)
        && (!set.local() || execution.transaction().mode() != Transaction.EndMode.NONE);
  }

  /** Of a server and of the session. */
  private SettingsState settingsAfter(SettingsState before, List<String> values) {
    if (set.name().equals(CONSTRAINTS)) {
      return before.constraints(statement.sql());
    }
    if (set.reset()) {
      return set.name().equals(ALL)
          ? before.resetAll(settings.first())
          : with(before, set.name(), settings.first().value(set.name()));
    }
    SettingsState now = before;
    // A call of set_config for a parameter that the server does not have gives no row.
    int known = set.byFunction() ? values.size() : set.parameters().size();
    for (int i = 0; i < known && lasts(); i++) {
      now = with(now, set.parameters().get(i), Optional.of(values.get(i)));
    }
    return now;
  }

  private SettingsState with(SettingsState before, String name, Optional<String> value) {
    return set.local() ? before.setLocal(name, value) : before.set(name, value);
  }
}
