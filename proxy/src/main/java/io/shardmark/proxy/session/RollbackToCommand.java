package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.settings.SettingsState;

/** ROLLBACK TO SAVEPOINT. */
final class RollbackToCommand extends MarkCommand {
  RollbackToCommand(Client client, PlannedStatement statement, StatementPlan.Transaction plan) {
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
    Transaction.Savepoint savepoint = transaction.savepoints().get(index);
    transaction.dropSavepoints(index + 1);
    client.scatter().rolledBackTo(index);
    client.portals().rolledBackTo(index);
    client.ownTables().rolledBackToSavepoint();
    transaction.recover(savepoint);
  }
}
