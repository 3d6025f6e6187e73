package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.Arguments.Protocol;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan.TransactionPlan;
import io.shardmark.proxy.routing.TransactionMode;
import io.shardmark.proxy.settings.SettingsState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A command that may set the modes of a transaction: BEGIN, SET TRANSACTION. */
abstract class ModesCommand extends TransactionCommand {
  static final String SET_TRANSACTION = "SET TRANSACTION ";

  /** What a savepoint of the proxy's own, at which the transaction becomes read only, does. */
  private @Nullable UnaryOperator<SettingsState> toReadOnly;

  ModesCommand(Client client, PlannedStatement statement, TransactionPlan plan) {
    super(client, statement, plan);
  }

  /** The text that sets the modes on a server. */
  protected abstract String text();

  /** On the servers that the transaction has begun on, and for those that follow. */
  protected final boolean areModesSet() {
    if (work == null) {
      refuseTooLate();
      if (!isSentEverywhere()) {
        return false;
      }
    }
    if (work != null && !work.advance()) {
      return false;
    }
    if (toReadOnly != null) {
      transaction.addSavepoint(Transaction.BEFORE_READ_ONLY);
      client.clientSettings().change(toReadOnly);
    }
    transaction.addModes(plan.modes());
    return true;
  }

  private boolean isSentEverywhere() {
    List<ServerConnection> servers = client.participants().enlisted();
    if (servers.isEmpty() && transaction.savepoints().isEmpty()) {
      return true;
    }
    if (servers.isEmpty()) {
      // After a savepoint not all modes may be set: a server judges that.
      ServerConnection judge = client.participants().require(client.participants().lowestShard());
      if (judge == null) {
        return false;
      }
      servers = List.of(judge);
    }
    if (!areReady(servers)) {
      return false;
    }
    boolean becomesReadOnly =
        plan.modes().contains(TransactionMode.READ_ONLY)
            && !transaction.becameReadOnly()
            && servers.stream().anyMatch(server -> server.dialog().hasWritten());
    if (becomesReadOnly) {
      toReadOnly = before -> before.savepoint(Transaction.BEFORE_READ_ONLY);
      send(servers, statementsToReadOnly(), toReadOnly);
    } else {
      send(servers, List.of(text()), UnaryOperator.identity());
    }
    return true;
  }

  /**
   * A savepoint keeps apart what it has written before. The other modes come first: a server
   * refuses them after a savepoint in other words.
   */
  private List<String> statementsToReadOnly() {
    List<TransactionMode> others = new ArrayList<>(plan.modes());
    others.removeIf(TransactionMode.READ_ONLY::equals);
    List<String> statements = new ArrayList<>();
    if (!others.isEmpty()) {
      statements.add(SET_TRANSACTION + TransactionMode.sql(others));
    }
    statements.add("SAVEPOINT \"" + Transaction.BEFORE_READ_ONLY + '"');
    statements.add(SET_TRANSACTION + TransactionMode.READ_ONLY.sql());
    return statements;
  }

  /**
   * Refuses modes that belong before the first query where no server can: it knows of no query, or
   * would name the client's savepoints, of which there is none.
   */
  protected final void refuseTooLate() {
    boolean afterOwnSavepoint =
        transaction.becameReadOnly() && transaction.savepoints().size() == 1;
    boolean afterQuery =
        (transaction.mode() != Transaction.EndMode.NONE && transaction.followsQuery())
            || (transaction.mode() != Transaction.EndMode.EXPLICIT && client.dialog().hasQueried());
    if (!afterOwnSavepoint && !afterQuery) {
      return;
    }
    for (TransactionMode mode : plan.modes()) {
      switch (mode.kind()) {
        case ISOLATION_LEVEL -> {
          if (transaction.isolationLevel(client.clientSettings().base()).orElse(null) != mode) {
            throw tooLate("SET TRANSACTION ISOLATION LEVEL must be called");
          }
        }
        case ACCESS -> {
          if (mode == TransactionMode.READ_WRITE && transaction.isReadOnly()) {
            throw tooLate("transaction read-write mode must be set");
          }
        }
        case DEFERRABLE -> throw tooLate("SET TRANSACTION [NOT] DEFERRABLE must be called");
      }
    }
  }

  private static StatementException tooLate(String what) {
    return new StatementException(SqlState.ACTIVE_SQL_TRANSACTION, what + " before any query");
  }

  /** BEGIN, START TRANSACTION. */
  static final class BeginCommand extends ModesCommand {
    BeginCommand(Client client, PlannedStatement statement, TransactionPlan plan) {
      super(client, statement, plan);
    }

    @Override
    protected String text() {
      return SET_TRANSACTION + TransactionMode.sql(plan.modes());
    }

    @Override
    protected boolean execute(boolean first) {
      if (transaction.mode() == Transaction.EndMode.NONE) {
        refuseTooLate();
        transaction.begin(Transaction.EndMode.EXPLICIT, plan.modes());
        followQueries();
        return complete(statement.tag());
      }
      if (transaction.mode() == Transaction.EndMode.EXPLICIT && first) {
        warn(SqlState.ACTIVE_SQL_TRANSACTION, "there is already a transaction in progress");
      }
      if (!plan.modes().isEmpty() && !areModesSet()) {
        return false;
      }
      if (transaction.mode() == Transaction.EndMode.IMPLICIT) {
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

  /** SET TRANSACTION, SET SESSION CHARACTERISTICS apart. */
  static final class SetTransactionCommand extends ModesCommand {
    private final Protocol protocol;

    SetTransactionCommand(
        Client client, PlannedStatement statement, TransactionPlan plan, Protocol protocol) {
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
          transaction.mode() == Transaction.EndMode.NONE
              || (transaction.mode() == Transaction.EndMode.IMPLICIT
                  && protocol == Protocol.EXTENDED
                  && !client.dialog().hasExecuted());
      if (isAlone && first) {
        warn(
            SqlState.NO_ACTIVE_SQL_TRANSACTION,
            "SET TRANSACTION can only be used in transaction blocks");
      }
      if (transaction.mode() != Transaction.EndMode.NONE) {
        return areModesSet() && complete("SET");
      }
      if (protocol == Protocol.EXTENDED) {
        refuseTooLate();
        // After a ROLLBACK a server still owes what that has changed: it says so at a Sync.
        if (!client.participants().requireAll(List.of())) {
          return false;
        }
        transaction.begin(Transaction.EndMode.IMPLICIT, plan.modes()); // until Sync
      }
      return complete("SET");
    }
  }
}
