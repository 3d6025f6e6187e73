package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.settings.SettingsState;
import java.util.List;

/** A command about a savepoint, sent to all shards of the transaction as the client wrote it. */
abstract class MarkCommand extends TransactionCommand {
  MarkCommand(Client client, PlannedStatement statement, StatementPlan.TransactionPlan plan) {
    super(client, statement, plan);
  }

  /** As PostgreSQL names it. */
  protected abstract String name();

  /** What it does to settings, of a server and of the session. */
  protected abstract SettingsState settingsAfter(SettingsState before);

  /** All servers have executed it. */
  protected abstract void executed();

  /**
   * The place of its savepoint, which has been made before.
   *
   * @throws StatementException if there is none
   */
  protected final int existing() {
    int index = transaction.savepoint(plan.savepoint());
    if (index < 0) {
      throw new StatementException(
          SqlState.INVALID_SAVEPOINT_SPECIFICATION,
          "savepoint \"" + plan.savepoint() + "\" does not exist");
    }
    return index;
  }

  /** Refuses it before a server is asked. */
  protected void check() {
    existing();
  }

  @Override
  protected final boolean execute(boolean first) {
    requireBlock(name());
    if (work == null) {
      check();
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

  /** SAVEPOINT. */
  static final class SavepointCommand extends MarkCommand {
    SavepointCommand(
        Client client, PlannedStatement statement, StatementPlan.TransactionPlan plan) {
      super(client, statement, plan);
    }

    @Override
    protected String name() {
      return "SAVEPOINT";
    }

    @Override
    protected void check() {
      // Any name will do.
    }

    @Override
    protected SettingsState settingsAfter(SettingsState before) {
      return before.savepoint(plan.savepoint());
    }

    @Override
    protected void executed() {
      transaction.addSavepoint(plan.savepoint());
    }
  }

  /** RELEASE SAVEPOINT. */
  static final class ReleaseCommand extends MarkCommand {
    ReleaseCommand(Client client, PlannedStatement statement, StatementPlan.TransactionPlan plan) {
      super(client, statement, plan);
    }

    @Override
    protected String name() {
      return "RELEASE SAVEPOINT";
    }

    @Override
    protected SettingsState settingsAfter(SettingsState before) {
      return before.released(plan.savepoint());
    }

    @Override
    protected void executed() {
      transaction.release(existing());
      client.scatter().released(transaction.savepoints().size());
      client.portals().released(transaction.savepoints().size());
    }
  }

  /** ROLLBACK TO SAVEPOINT. */
  static final class RollbackToCommand extends MarkCommand {
    RollbackToCommand(
        Client client, PlannedStatement statement, StatementPlan.TransactionPlan plan) {
      super(client, statement, plan);
    }

    @Override
    protected String name() {
      return "ROLLBACK TO SAVEPOINT";
    }

    @Override
    protected SettingsState settingsAfter(SettingsState before) {
      return before.rolledBackTo(plan.savepoint());
    }

    @Override
    protected void executed() {
      int index = existing();
      Transaction.TransactionSavepoint savepoint = transaction.savepoints().get(index);
      transaction.dropSavepoints(index + 1);
      client.scatter().rolledBackTo(index);
      client.portals().rolledBackTo(index);
      client.ownTables().rolledBackToSavepoint();
      transaction.recover(savepoint);
    }
  }
}
