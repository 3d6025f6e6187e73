package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction.TransactionSavepoint;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan.TransactionPlan;
import io.shardmark.proxy.settings.SettingsState;
import java.util.List;
import java.util.function.BiFunction;

/** A command about a savepoint, sent to all shards of the transaction as the client wrote it. */
final class MarkCommand extends TransactionCommand {
  private final SavepointUse use;

  private enum SavepointUse {
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

  MarkCommand(Client client, PlannedStatement statement, TransactionPlan plan) {
    super(client, statement, plan);
    this.use = SavepointUse.valueOf(plan.command().name());
  }

  private SettingsState settingsAfter(SettingsState before) {
    return use.settings.apply(before, plan.savepoint());
  }

  /**
   * The place of its savepoint, which has been made before.
   *
   * @throws StatementException if there is none
   */
  private int existing() {
    int index = transaction.savepoint(plan.savepoint());
    if (index < 0) {
      throw new StatementException(
          SqlState.INVALID_SAVEPOINT_SPECIFICATION,
          "savepoint \"" + plan.savepoint() + "\" does not exist");
    }
    return index;
  }

  @Override
  protected boolean execute(boolean first) {
    requireBlock(use.command);
    if (work == null) {
      if (use != SavepointUse.SAVEPOINT) {
        existing();
      }
      List<ServerConnection> servers = client.participants().enlisted();
      if (!servers.isEmpty()) {
        if (!areReady(servers)) {
          return false;
        }
        send(servers, List.of(statement.sql()), this::settingsAfter);
      }
    }
    if (work != null && !work.advance()) {
      return false;
    }
    client.clientSettings().change(this::settingsAfter);
    executed();
    return complete(statement.tag());
  }

  /** All servers have executed it. */
  private void executed() {
    switch (use) {
      case SAVEPOINT -> transaction.addSavepoint(plan.savepoint());
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
