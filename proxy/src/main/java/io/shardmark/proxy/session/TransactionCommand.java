package io.shardmark.proxy.session;

import io.shardmark.proxy.commit.CommitStatement;
import io.shardmark.proxy.execution.Arguments.Protocol;
import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Severity;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan.TransactionPlan;
import io.shardmark.proxy.routing.StatementPlan.TransactionPlan.TransactionVerb;
import io.shardmark.proxy.routing.TransactionMode;
import io.shardmark.proxy.session.MarkCommand.SavepointUse;
import io.shardmark.proxy.settings.SettingsState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A command about a transaction, from BEGIN to COMMIT, over as many shards as that is on. */
record TransactionCommand(Client client, PlannedStatement statement, TransactionPlan plan) {
  /** The work for it, which begins when all that was asked before has been answered. */
  static ExecutionStep of(
      Client client, PlannedStatement statement, TransactionPlan plan, Protocol protocol) {
    TransactionCommand command = new TransactionCommand(client, statement, plan);
    ExecutionStep drained = client.participants()::drained;
    return drained.then(() -> command.begun(protocol));
  }

  private ExecutionStep begun(Protocol protocol) {
    return switch (plan.command()) {
      case BEGIN -> new ModesCommand(this, plan.modes()).begin();
      case COMMIT, ROLLBACK -> end();
      case SAVEPOINT -> new MarkCommand(this, SavepointUse.SAVEPOINT, plan.savepoint()).step();
      case RELEASE -> new MarkCommand(this, SavepointUse.RELEASE, plan.savepoint()).step();
      case ROLLBACK_TO -> new MarkCommand(this, SavepointUse.ROLLBACK_TO, plan.savepoint()).step();
      case SET_TRANSACTION -> new ModesCommand(this, plan.modes()).set(protocol);
      case PREPARE -> client.context().shardCount() == 1 ? prepare() : endInsteadOfPrepare();
    };
  }

  Transaction transaction() {
    return client.transaction();
  }

  /** COMMIT, ROLLBACK. */
  private ExecutionStep end() {
    if (plan.chain()) {
      requireBlock(plan.command() + " AND CHAIN");
    }
    if (transaction().mode() != Transaction.EndMode.EXPLICIT) {
      warn(SqlState.NO_ACTIVE_SQL_TRANSACTION, "there is no transaction in progress");
    }
    if (transaction().mode() == Transaction.EndMode.NONE) {
      // It ends the transaction that it is itself, with all portals.
      client.portals().clear();
      client.dialog().transactionOver();
      return completed(plan.command().name());
    }
    // What AND CHAIN gives the next one.
    List<TransactionMode> modes = transaction().modes();
    List<TransactionMode> undone = transaction().modesBehindRollback();
    EndStep ending =
        plan.command() == TransactionVerb.COMMIT
            ? EndStep.commit(client)
            : EndStep.rollback(client);
    return ending.then(
        () -> {
          if (plan.chain()) {
            transaction().beginChained(ending.isCommitted() ? modes : undone);
          }
          return completed(ending.isCommitted() ? "COMMIT" : "ROLLBACK");
        });
  }

  private ExecutionStep endInsteadOfPrepare() {
    if (!transaction().isFailed()) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "PREPARE TRANSACTION cannot be sent through the proxy",
          TransactionPlan.NO_TWO_PHASE);
    }
    TransactionPlan rollback = new TransactionPlan(TransactionVerb.ROLLBACK, false);
    return new TransactionCommand(client, statement, rollback).end();
  }

  /** PREPARE TRANSACTION on the only shard. */
  private ExecutionStep prepare() {
    return ExecutionStep.with(
        () -> client.participants().require(0),
        server -> {
          if (transaction().mode() == Transaction.EndMode.IMPLICIT) {
            warn(SqlState.NO_ACTIVE_SQL_TRANSACTION, "there is no transaction in progress");
          }
          Broadcast sent = Broadcast.of(client.output(), List.of(server), statement.sql());
          return () -> isPrepared(sent);
        });
  }

  /** Whatever the server answers, the transaction is over. */
  private boolean isPrepared(Broadcast sent) {
    try {
      if (!sent.advance()) {
        return false;
      }
    } catch (StatementException e) {
      over(false);
      throw e;
    }
    String tag = sent.tag();
    over(CommitStatement.PREPARE.tag().equals(tag));
    client.output().complete(tag == null ? CommitStatement.ROLLBACK.tag() : tag);
    return true;
  }

  private void over(boolean kept) {
    client.end().finish(kept);
    client.participants().releaseAll();
  }

  // ---- what the others need

  /** Has servers execute these statements one by one, and their settings change with that. */
  ExecutionStep sent(
      List<ServerConnection> servers,
      List<String> statements,
      UnaryOperator<SettingsState> settings) {
    Map<ServerConnection, List<String>> texts = new LinkedHashMap<>();
    servers.forEach(server -> texts.put(server, statements));
    return new Broadcast(client.output(), texts)
        .changing((before, values) -> settings.apply(before));
  }

  /** Refuses it outside of a transaction block. */
  void requireBlock(String name) {
    if (transaction().mode() != Transaction.EndMode.EXPLICIT) {
      throw new StatementException(
          SqlState.NO_ACTIVE_SQL_TRANSACTION, name + " can only be used in transaction blocks");
    }
  }

  void warn(SqlState state, String message) {
    BackendMessages.noticeResponse(client.out(), ErrorFields.of(Severity.WARNING, state, message));
  }

  ExecutionStep completed(String tag) {
    client.output().complete(tag);
    return ExecutionStep.DONE;
  }
}
