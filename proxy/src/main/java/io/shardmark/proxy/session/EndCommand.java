package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction.Mode;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.routing.StatementPlan.Transaction.Command;
import io.shardmark.proxy.routing.TransactionMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** COMMIT, ROLLBACK. */
final class EndCommand extends TransactionCommand {
  private @Nullable EndStep ending;

  /** Of the transaction that ends: what AND CHAIN gives the next one. */
  private List<TransactionMode> modes = List.of();

  private List<TransactionMode> modesUndone = List.of();

  EndCommand(Client client, PlannedStatement statement, StatementPlan.Transaction plan) {
    super(client, statement, plan);
  }

  @Override
  protected boolean execute(boolean first) {
    EndStep end = ending;
    if (end == null) {
      requireBlockToChain();
      if (transaction.mode() != Mode.EXPLICIT) {
        warn(SqlState.NO_ACTIVE_SQL_TRANSACTION, "there is no transaction in progress");
        if (transaction.mode() == Mode.NONE) {
          // It ends the transaction that it is itself, with all portals.
          client.portals().clear();
          client.dialog().transactionOver();
          return complete(plan.command().name());
        }
      }
      modes = transaction.modes();
      modesUndone = transaction.modesBehindRollback();
      end = plan.command() == Command.COMMIT ? EndStep.commit(client) : EndStep.rollback(client);
      ending = end;
      work = end;
    }
    if (!end.advance()) {
      return false;
    }
    if (plan.chain()) {
      transaction.beginChained(end.isCommitted() ? modes : modesUndone);
    }
    return complete(end.isCommitted() ? "COMMIT" : "ROLLBACK");
  }

  private void requireBlockToChain() {
    if (plan.chain() && transaction.mode() != Mode.EXPLICIT) {
      throw new StatementException(
          SqlState.NO_ACTIVE_SQL_TRANSACTION,
          plan.command() + " AND CHAIN can only be used in transaction blocks");
    }
  }
}
