package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.Transaction.Mode;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.routing.TransactionMode;

/** BEGIN, START TRANSACTION. */
final class BeginCommand extends ModesCommand {
  BeginCommand(Client client, PlannedStatement statement, StatementPlan.Transaction plan) {
    super(client, statement, plan);
  }

  @Override
  protected String text() {
    return SET_TRANSACTION + TransactionMode.sql(plan.modes());
  }

  @Override
  protected boolean execute(boolean first) {
    if (transaction.mode() == Mode.NONE) {
      refuseTooLate();
      transaction.begin(Mode.EXPLICIT, plan.modes());
      followQueries();
      return complete(statement.tag());
    }
    if (transaction.mode() == Mode.EXPLICIT && first) {
      warn(SqlState.ACTIVE_SQL_TRANSACTION, "there is already a transaction in progress");
    }
    if (!plan.modes().isEmpty() && !areModesSet()) {
      return false;
    }
    if (transaction.mode() == Mode.IMPLICIT) {
      transaction.makeExplicit();
      followQueries();
    }
    return complete(statement.tag());
  }

  /** Queries of several shards before it in the pipeline: none is in the transaction there. */
  private void followQueries() {
    if (client.dialog().hasQueried()) {
      transaction.followQuery();
    }
  }
}
