package io.shardmark.proxy.session;

import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.settings.SettingsState;

/** SAVEPOINT. */
final class SavepointCommand extends MarkCommand {
  SavepointCommand(Client client, PlannedStatement statement, StatementPlan.Transaction plan) {
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
