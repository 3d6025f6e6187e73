package io.shardmark.proxy.session;

import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.settings.SettingsState;

/** RELEASE SAVEPOINT. */
final class ReleaseCommand extends MarkCommand {
  ReleaseCommand(Client client, PlannedStatement statement, StatementPlan.Transaction plan) {
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
