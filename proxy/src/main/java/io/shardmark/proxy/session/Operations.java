package io.shardmark.proxy.session;

import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.routing.StatementPlan.Transaction.Command;
import io.shardmark.proxy.routing.Target;
import io.shardmark.proxy.session.Transaction.Mode;
import java.util.List;

/** What the proxy does for statements that are not simply passed on to one shard. */
final class Operations {
  private Operations() {}

  /** The work for a statement; it writes the answer without ReadyForQuery. */
  static Step step(ClientSession session, PlannedStatement statement, Arguments arguments) {
    StatementPlan plan = statement.plan();
    if (plan instanceof StatementPlan.Transaction transaction) {
      session.context().counters().count(LoopCounter.STATEMENTS_LOCAL);
      return TransactionStep.of(session, statement, transaction);
    }
    if (isLocal(plan)) {
      session.context().counters().count(LoopCounter.STATEMENTS_LOCAL);
    }
    if (plan instanceof StatementPlan.SetParameter set) {
      return new SetStep(session, statement, set, arguments);
    }
    if (plan instanceof StatementPlan.Empty) {
      return () -> {
        SimpleQueries.empty(session);
        return true;
      };
    }
    if (plan instanceof StatementPlan.Query query) {
      return ScatterStep.of(session, statement, query, arguments);
    }
    if (plan instanceof StatementPlan.Copy copy) {
      return copy.fromClient()
          ? new CopyInStep(session, statement, copy)
          : new CopyOutStep(session, statement, copy, arguments);
    }
    if (plan instanceof StatementPlan.Prepare prepare) {
      return new PrepareStep(session, prepare);
    }
    if (plan instanceof StatementPlan.Execute execute) {
      return ExecuteStep.of(session, execute, arguments);
    }
    if (plan instanceof StatementPlan.Cursor cursor) {
      return new CursorStep(session, cursor, arguments);
    }
    if (plan instanceof StatementPlan.Ddl ddl) {
      return new DdlStep(session, statement, ddl);
    }
    if (plan instanceof StatementPlan.SetSequence set) {
      session.context().counters().count(LoopCounter.STATEMENTS_DDL);
      return new SequenceStep(session, set, arguments);
    }
    if (plan instanceof StatementPlan.Discard discard) {
      return new DiscardStep(session, statement, discard);
    }
    if (plan instanceof StatementPlan.SetRoute route) {
      return () -> setRoute(session, route);
    }
    if (plan instanceof StatementPlan.ShowProxy show) {
      return () -> {
        LocalRows.answer(session, show, arguments);
        return true;
      };
    }
    if (plan instanceof StatementPlan.Refused refused) {
      throw new StatementException(
          new SqlState(refused.sqlState()), refused.message(), refused.hint());
    }
    throw new StatementException(
        SqlState.FEATURE_NOT_SUPPORTED, statement.tag() + " is not supported here");
  }

  /** LISTEN binds the client to its connection; NOTIFY is sent with the commit. */
  static void noteNotification(
      ClientSession session, StatementPlan.Notification notification, ServerConnection server) {
    session.context().cluster().notifiers().note(server.processId(), session.answers().clientId());
    if (notification.signal() == StatementPlan.Notification.Signal.NOTIFY) {
      server.markWritten();
    } else {
      session.pin(server);
    }
  }

  /** What the proxy answers; the others count themselves by their ways. */
  private static boolean isLocal(StatementPlan plan) {
    return !(plan instanceof StatementPlan.Query
        || plan instanceof StatementPlan.Copy
        || plan instanceof StatementPlan.Ddl
        || plan instanceof StatementPlan.SetSequence
        || plan instanceof StatementPlan.Refused);
  }

  /** What a statement counts as that is passed on to one shard. */
  static LoopCounter forwardedRoute(StatementPlan plan) {
    if (plan instanceof StatementPlan.Query query
        && (query.target() instanceof Target.Any || query.target() instanceof Target.First)) {
      return LoopCounter.STATEMENTS_ANY_SHARD;
    }
    return plan instanceof StatementPlan.Copy
        ? LoopCounter.STATEMENTS_COPY
        : LoopCounter.STATEMENTS_ONE_SHARD;
  }

  private static boolean setRoute(ClientSession session, StatementPlan.SetRoute route) {
    session.routeTo(ShardChoice.byHand(session, route.name(), route.value()));
    BackendMessages.commandComplete(session.out(), route.value() == null ? "RESET" : "SET");
    return true;
  }

  /** In a failed transaction only its end is allowed (PostgreSQL's own words). */
  static void refuseIfFailed(ClientSession session, PlannedStatement statement) {
    if (!session.transaction().isFailed()) {
      return;
    }
    if (statement.plan() instanceof StatementPlan.Transaction end
        && (end.command() == Command.COMMIT
            || end.command() == Command.ROLLBACK
            || end.command() == Command.PREPARE
            || end.command() == Command.ROLLBACK_TO)) {
      return;
    }
    refuseFailed(session);
  }

  /** For whatever a failed transaction takes no more. */
  static void refuseFailed(ClientSession session) {
    session
        .transaction()
        .untoldLoss()
        .ifPresent(
            loss -> {
              throw new StatementException(loss);
            });
    throw new StatementException(
        SqlState.IN_FAILED_SQL_TRANSACTION,
        "current transaction is aborted, commands ignored until end of transaction block");
  }

  /** The shard to which a COMMIT or ROLLBACK can be passed on as it is, or -1. */
  static int forwardableEnd(ClientSession session, StatementPlan.Transaction end) {
    Transaction transaction = session.transaction();
    boolean ends = end.command() == Command.COMMIT || end.command() == Command.ROLLBACK;
    if (!ends || transaction.mode() != Mode.EXPLICIT || !end.argument().isEmpty()) {
      return -1;
    }
    if (session.ownTables().isChanged() || transaction.isUndoneEarly()) {
      return -1;
    }
    List<ServerConnection> enlisted = session.links().enlisted();
    if (enlisted.size() != 1) {
      return -1;
    }
    ServerConnection only = enlisted.get(0);
    boolean agrees =
        !transaction.isFailed()
            || end.command() == Command.ROLLBACK
            || only.status() == TransactionStatus.FAILED;
    return agrees ? only.shard() : -1;
  }
}
