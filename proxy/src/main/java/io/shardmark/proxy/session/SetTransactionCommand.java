package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Transaction.Mode;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import java.util.List;

/** SET TRANSACTION, SET SESSION CHARACTERISTICS apart. */
final class SetTransactionCommand extends ModesCommand {
  private final Arguments.Protocol protocol;

  SetTransactionCommand(
      Client client,
      PlannedStatement statement,
      StatementPlan.Transaction plan,
      Arguments.Protocol protocol) {
    super(client, statement, plan);
    this.protocol = protocol;
  }

  @Override
  protected String text() {
    return statement.sql();
  }

  @Override
  protected boolean execute(boolean first) {
    // A Bind before it has begun a transaction, but makes no block of it.
    boolean isAlone =
        transaction.mode() == Mode.NONE
            || (transaction.mode() == Mode.IMPLICIT
                && protocol == Arguments.Protocol.EXTENDED
                && !client.dialog().hasExecuted());
    if (isAlone && first) {
      warn(
          SqlState.NO_ACTIVE_SQL_TRANSACTION,
          "SET TRANSACTION can only be used in transaction blocks");
    }
    if (transaction.mode() != Mode.NONE) {
      return areModesSet() && complete("SET");
    }
    if (protocol == Arguments.Protocol.EXTENDED) {
      refuseTooLate();
      // After a ROLLBACK a server still owes what that has changed: it says so at a Sync.
      if (!client.participants().requireAll(List.of())) {
        return false;
      }
      transaction.begin(Mode.IMPLICIT, plan.modes()); // until Sync
    }
    return complete("SET");
  }
}
