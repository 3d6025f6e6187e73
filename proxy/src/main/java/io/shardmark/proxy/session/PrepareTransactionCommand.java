package io.shardmark.proxy.session;

import io.shardmark.proxy.commit.CommitStatement;
import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction.Mode;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** PREPARE TRANSACTION on the only shard: whatever it answers, the transaction is over. */
final class PrepareTransactionCommand extends TransactionCommand {
  private @Nullable Broadcast sent;

  PrepareTransactionCommand(
      Client client, PlannedStatement statement, StatementPlan.Transaction plan) {
    super(client, statement, plan);
  }

  @Override
  protected boolean execute(boolean first) {
    Broadcast broadcast = sent;
    if (broadcast == null) {
      ServerConnection server = client.participants().require(0);
      if (server == null) {
        return false;
      }
      if (transaction.mode() == Mode.IMPLICIT) {
        warn(SqlState.NO_ACTIVE_SQL_TRANSACTION, "there is no transaction in progress");
      }
      broadcast = Broadcast.of(client.output(), List.of(server), statement.sql());
      sent = broadcast;
    }
    try {
      if (!broadcast.advance()) {
        return false;
      }
    } catch (StatementException e) {
      over(false);
      throw e;
    }
    String tag = broadcast.tag();
    over(CommitStatement.PREPARE.tag().equals(tag));
    return complete(tag == null ? CommitStatement.ROLLBACK.tag() : tag);
  }

  private void over(boolean kept) {
    client.end().finish(kept);
    client.participants().releaseAll();
  }
}
