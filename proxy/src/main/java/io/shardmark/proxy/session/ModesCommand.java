package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.Arguments.Protocol;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.TransactionMode;
import io.shardmark.proxy.settings.SettingsState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A command that may set the modes of a transaction: BEGIN, SET TRANSACTION. */
record ModesCommand(TransactionCommand command, List<TransactionMode> modes) {
  private static final String SET_TRANSACTION = "SET TRANSACTION ";

  /** BEGIN, START TRANSACTION. */
  ExecutionStep begin() {
    Transaction transaction = command.transaction();
    if (transaction.mode() == Transaction.EndMode.NONE) {
      refuseTooLate();
      transaction.begin(Transaction.EndMode.EXPLICIT, modes);
      followQueries();
      return command.completed(command.statement().tag());
    }
    if (transaction.mode() == Transaction.EndMode.EXPLICIT) {
      command.warn(SqlState.ACTIVE_SQL_TRANSACTION, "there is already a transaction in progress");
    }
    ExecutionStep set =
        modes.isEmpty()
            ? ExecutionStep.DONE
            : modesSet(SET_TRANSACTION + TransactionMode.sql(modes));
    return set.then(
        () -> {
          if (transaction.mode() == Transaction.EndMode.IMPLICIT) {
            transaction.makeExplicit();
            followQueries();
          }
          return command.completed(command.statement().tag());
        });
  }

  /** Queries of several shards before it in the pipeline: none is in the transaction there. */
  private void followQueries() {
    if (command.client().dialog().hasQueried()) {
      command.transaction().followQuery();
    }
  }

  /** SET TRANSACTION, SET SESSION CHARACTERISTICS apart. */
  ExecutionStep set(Protocol protocol) {
    Transaction transaction = command.transaction();
    // A Bind before it has begun a transaction, but makes no block of it.
    boolean isAlone =
        transaction.mode() == Transaction.EndMode.NONE
            || (transaction.mode() == Transaction.EndMode.IMPLICIT
                && protocol == Protocol.EXTENDED
                && !command.client().dialog().hasExecuted());
    if (isAlone) {
      command.warn(
          SqlState.NO_ACTIVE_SQL_TRANSACTION,
          "SET TRANSACTION can only be used in transaction blocks");
    }
    if (transaction.mode() != Transaction.EndMode.NONE) {
      return modesSet(command.statement().sql()).then(() -> command.completed("SET"));
    }
    if (protocol != Protocol.EXTENDED) {
      return command.completed("SET");
    }
    refuseTooLate();
    // After a ROLLBACK a server still owes what that has changed: it says so at a Sync.
    ExecutionStep synced = () -> command.client().participants().requireAll(List.of());
    return synced.then(
        () -> {
          transaction.begin(Transaction.EndMode.IMPLICIT, modes); // until Sync
          return command.completed("SET");
        });
  }

  /**
   * On the servers that the transaction has begun on, and for those that follow.
   *
   * @param text that sets them on a server
   */
  private ExecutionStep modesSet(String text) {
    refuseTooLate();
    SessionParticipants participants = command.client().participants();
    ExecutionStep sent = ExecutionStep.DONE;
    if (!participants.enlisted().isEmpty()) {
      ExecutionStep ready = participants::requireEnlisted;
      sent = ready.then(() -> sent(participants.enlisted(), text));
    } else if (!command.transaction().savepoints().isEmpty()) {
      // After a savepoint not all modes may be set: a server judges that.
      sent =
          ExecutionStep.with(
              () -> participants.require(participants.lowestShard()),
              judge -> sent(List.of(judge), text));
    }
    return sent.thenDo(() -> command.transaction().addModes(modes));
  }

  private ExecutionStep sent(List<ServerConnection> servers, String text) {
    boolean becomesReadOnly =
        modes.contains(TransactionMode.READ_ONLY)
            && !command.transaction().becameReadOnly()
            && servers.stream().anyMatch(server -> server.dialog().hasWritten());
    if (!becomesReadOnly) {
      return command.sent(servers, List.of(text), UnaryOperator.identity());
    }
    UnaryOperator<SettingsState> toReadOnly =
        before -> before.savepoint(Transaction.BEFORE_READ_ONLY);
    return command
        .sent(servers, statementsToReadOnly(), toReadOnly)
        .thenDo(
            () -> {
              command.transaction().addSavepoint(Transaction.BEFORE_READ_ONLY);
              command.client().clientSettings().change(toReadOnly);
            });
  }

  /**
   * A savepoint keeps apart what it has written before. The other modes come first: a server
   * refuses them after a savepoint in other words.
   */
  private List<String> statementsToReadOnly() {
    List<TransactionMode> others = new ArrayList<>(modes);
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
  private void refuseTooLate() {
    Transaction transaction = command.transaction();
    boolean afterOwnSavepoint =
        transaction.becameReadOnly() && transaction.savepoints().size() == 1;
    boolean afterQuery =
        (transaction.mode() != Transaction.EndMode.NONE && transaction.followsQuery())
            || (transaction.mode() != Transaction.EndMode.EXPLICIT
                && command.client().dialog().hasQueried());
    if (!afterOwnSavepoint && !afterQuery) {
      return;
    }
    for (TransactionMode mode : modes) {
      switch (mode.kind()) {
        case ISOLATION_LEVEL -> {
          if (transaction.isolationLevel(command.client().clientSettings().base()).orElse(null)
              != mode) {
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
}
