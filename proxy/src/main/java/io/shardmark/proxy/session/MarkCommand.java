package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.execution.Transaction.TransactionSavepoint;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.settings.SettingsState;
import java.util.List;
import java.util.function.BiFunction;

/** A command about a savepoint, sent to all shards of the transaction as the client wrote it. */
record MarkCommand(TransactionCommand command, SavepointUse use, String name) {
  enum SavepointUse {
    SAVEPOINT("SAVEPOINT", SettingsState::savepoint),
    RELEASE("RELEASE SAVEPOINT", SettingsState::released),
    ROLLBACK_TO("ROLLBACK TO SAVEPOINT", SettingsState::rolledBackTo);

    /** As PostgreSQL names it. */
    private final String command;

    /** What it does to settings, of a server and of the session. */
    @SuppressWarnings("ImmutableEnumChecker") // a method without state
    private final BiFunction<SettingsState, String, SettingsState> settings;

    SavepointUse(String command, BiFunction<SettingsState, String, SettingsState> settings) {
      this.command = command;
      this.settings = settings;
    }
  }

  ExecutionStep step() {
    command.requireBlock(use.command);
    if (use != SavepointUse.SAVEPOINT) {
      existing();
    }
    Client client = command.client();
    ExecutionStep sent = ExecutionStep.DONE;
    if (!client.participants().enlisted().isEmpty()) {
      ExecutionStep ready = client.participants()::requireEnlisted;
      sent =
          ready.then(
              () ->
                  command.sent(
                      client.participants().enlisted(),
                      List.of(command.statement().sql()),
                      this::settingsAfter));
    }
    return sent.then(
        () -> {
          client.clientSettings().change(this::settingsAfter);
          executed(client);
          return command.completed(command.statement().tag());
        });
  }

  private SettingsState settingsAfter(SettingsState before) {
    return use.settings.apply(before, name);
  }

  /**
   * The place of its savepoint, which has been made before.
   *
   * @throws StatementException if there is none
   */
  private int existing() {
    int index = command.transaction().savepoint(name);
    if (index < 0) {
      throw new StatementException(
          SqlState.INVALID_SAVEPOINT_SPECIFICATION, "savepoint \"" + name + "\" does not exist");
    }
    return index;
  }

  /** All servers have executed it. */
  private void executed(Client client) {
    Transaction transaction = command.transaction();
    switch (use) {
      case SAVEPOINT -> transaction.addSavepoint(name);
      case RELEASE -> {
        transaction.release(existing());
        client.scatter().released(transaction.savepoints().size());
        client.portals().released(transaction.savepoints().size());
      }
      case ROLLBACK_TO -> {
        int index = existing();
        TransactionSavepoint savepoint = transaction.savepoints().get(index);
        transaction.dropSavepoints(index + 1);
        client.scatter().rolledBackTo(index);
        client.portals().rolledBackTo(index);
        client.ownTables().rolledBackToSavepoint();
        transaction.recover(savepoint);
      }
    }
  }
}
