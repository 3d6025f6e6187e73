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
import io.shardmark.proxy.session.ModesCommand.SetTransactionCommand;
import io.shardmark.proxy.settings.SettingsState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A command about a transaction, from BEGIN to COMMIT, over as many shards as that is on. */
abstract class TransactionCommand implements ExecutionStep {
  private enum CommandPhase {
    FIRST_TURN,
    LATER
  }

  protected final Client client;
  protected final Transaction transaction;
  protected final PlannedStatement statement;
  protected final TransactionPlan plan;

  /** What it has begun on servers, or null. */
  protected @Nullable ExecutionStep work;

  private CommandPhase phase = CommandPhase.FIRST_TURN;

  TransactionCommand(Client client, PlannedStatement statement, TransactionPlan plan) {
    this.client = client;
    this.transaction = client.transaction();
    this.statement = statement;
    this.plan = plan;
  }

  static TransactionCommand of(
      Client client, PlannedStatement statement, TransactionPlan plan, Protocol protocol) {
    return switch (plan.command()) {
      case BEGIN -> new ModesCommand.BeginCommand(client, statement, plan);
      case COMMIT, ROLLBACK -> new EndCommand(client, statement, plan);
      case SAVEPOINT, RELEASE, ROLLBACK_TO -> new MarkCommand(client, statement, plan);
      case SET_TRANSACTION -> new SetTransactionCommand(client, statement, plan, protocol);
      case PREPARE -> prepare(client, statement, plan);
    };
  }

  private static TransactionCommand prepare(
      Client client, PlannedStatement statement, TransactionPlan plan) {
    if (client.context().shardCount() == 1) {
      return new PrepareTransactionCommand(client, statement, plan);
    }
    if (!client.transaction().isFailed()) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "PREPARE TRANSACTION cannot be sent through the proxy",
          TransactionPlan.NO_TWO_PHASE);
    }
    return new EndCommand(client, statement, new TransactionPlan(TransactionVerb.ROLLBACK, false));
  }

  /**
   * Goes on as far as possible.
   *
   * @param first nothing has been done yet
   * @return true when it is done
   */
  protected abstract boolean execute(boolean first);

  @Override
  public final boolean advance() {
    if (!client.participants().drained()) {
      return false;
    }
    boolean first = phase == CommandPhase.FIRST_TURN;
    phase = CommandPhase.LATER;
    return execute(first);
  }

  @Override
  public final void abandon() {
    if (work != null) {
      work.abandon();
    }
  }

  /** Has servers execute these statements one by one, and their settings change with that. */
  protected final void send(
      List<ServerConnection> servers,
      List<String> statements,
      UnaryOperator<SettingsState> settings) {
    Map<ServerConnection, List<String>> texts = new LinkedHashMap<>();
    servers.forEach(server -> texts.put(server, statements));
    work =
        new Broadcast(client.output(), texts).changing((before, values) -> settings.apply(before));
  }

  /** Whether these servers are ready for the next statement. */
  protected final boolean areReady(List<ServerConnection> servers) {
    return client.participants().requireAll(servers.stream().map(ServerConnection::shard).toList());
  }

  /** Refuses it outside of a transaction block. */
  protected final void requireBlock(String name) {
    if (transaction.mode() != Transaction.EndMode.EXPLICIT) {
      throw new StatementException(
          SqlState.NO_ACTIVE_SQL_TRANSACTION, name + " can only be used in transaction blocks");
    }
  }

  protected final void warn(SqlState state, String message) {
    BackendMessages.noticeResponse(client.out(), ErrorFields.of(Severity.WARNING, state, message));
  }

  protected final boolean complete(String tag) {
    client.output().complete(tag);
    return true;
  }

  /** COMMIT, ROLLBACK. */
  private static final class EndCommand extends TransactionCommand {
    private @Nullable EndStep ending;

    /** Of the transaction that ends: what AND CHAIN gives the next one. */
    private List<TransactionMode> modes = List.of();

    private List<TransactionMode> modesUndone = List.of();

    EndCommand(Client client, PlannedStatement statement, TransactionPlan plan) {
      super(client, statement, plan);
    }

    @Override
    protected boolean execute(boolean first) {
      EndStep end = ending;
      if (end == null) {
        requireBlockToChain();
        if (transaction.mode() != Transaction.EndMode.EXPLICIT) {
          warn(SqlState.NO_ACTIVE_SQL_TRANSACTION, "there is no transaction in progress");
          if (transaction.mode() == Transaction.EndMode.NONE) {
            // It ends the transaction that it is itself, with all portals.
            client.portals().clear();
            client.dialog().transactionOver();
            return complete(plan.command().name());
          }
        }
        modes = transaction.modes();
        modesUndone = transaction.modesBehindRollback();
        end =
            plan.command() == TransactionVerb.COMMIT
                ? EndStep.commit(client)
                : EndStep.rollback(client);
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
      if (plan.chain() && transaction.mode() != Transaction.EndMode.EXPLICIT) {
        throw new StatementException(
            SqlState.NO_ACTIVE_SQL_TRANSACTION,
            plan.command() + " AND CHAIN can only be used in transaction blocks");
      }
    }
  }

  /** PREPARE TRANSACTION on the only shard: whatever it answers, the transaction is over. */
  private static final class PrepareTransactionCommand extends TransactionCommand {
    private @Nullable Broadcast sent;

    PrepareTransactionCommand(Client client, PlannedStatement statement, TransactionPlan plan) {
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
        if (transaction.mode() == Transaction.EndMode.IMPLICIT) {
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
}
