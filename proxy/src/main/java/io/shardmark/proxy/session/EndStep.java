package io.shardmark.proxy.session;

import static java.util.Objects.requireNonNull;

import io.shardmark.proxy.commit.CommitFrame;
import io.shardmark.proxy.commit.CommitPlan;
import io.shardmark.proxy.ddl.PlacementMove;
import io.shardmark.proxy.ddl.SchemaSteps;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.routing.StatementPlan.TransactionPlan.TransactionVerb;
import io.shardmark.proxy.routing.TransactionMode;
import io.shardmark.proxy.settings.SettingsSql;
import io.shardmark.proxy.settings.SettingsState;
import io.shardmark.proxy.transaction.EndRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends the session's transaction on all its shards. A commit goes on to its end without its client
 * if that one leaves.
 */
final class EndStep implements ExecutionStep {
  private final Client client;
  private final TransactionVerb verb;

  /** No other client uses tables that the transaction has moved. */
  private final ExecutionStep alone;

  private final ExecutionStep stages =
      ((ExecutionStep) this::mayBegin).then(this::served).then(this::ended).then(this::over);

  private @Nullable EndRun run;
  private @Nullable ErrorFields failure;

  private EndStep(Client client, TransactionVerb verb) {
    this.client = client;
    this.verb = verb;
    this.alone =
        ExecutionStep.DONE
            .then(
                () ->
                    client.ownTables().mustReadForMoved()
                        ? client.readingOwnTables()
                        : ExecutionStep.DONE)
            .then(
                () ->
                    PlacementMove.agreed(
                        client,
                        client.context().cluster().placementChanges(),
                        client.underWay(),
                        client.ownTables().moved()));
  }

  /** COMMIT, which rolls a failed transaction back. */
  static EndStep commit(Client client) {
    return new EndStep(client, TransactionVerb.COMMIT);
  }

  /** Undoes everything on all servers that are held. */
  static EndStep rollback(Client client) {
    return new EndStep(client, TransactionVerb.ROLLBACK);
  }

  /** Whether the servers have committed; once it is done. */
  boolean isCommitted() {
    return run != null && run.isCommitted();
  }

  @Override
  public boolean advance() {
    return stages.advance();
  }

  private boolean commits() {
    return verb == TransactionVerb.COMMIT && !client.transaction().isFailed() && failure == null;
  }

  /** Not before servers have answered what is before the COMMIT. */
  private boolean mayBegin() {
    try {
      return !commits() || (isQuiet() && alone.advance());
    } catch (StatementException e) {
      failure = e.fields();
      return true;
    }
  }

  /** As long as the servers are needed. */
  private ExecutionStep served() {
    Transaction transaction = client.transaction();
    EndRun started = new EndRun(client.context().ends(), client::proceed);
    run = started;
    client.end().begin(started);
    if (commits()) {
      started.commit(
          client.participants().enlisted(),
          transaction.wroteNothing(),
          frame(transaction, client.clientSettings().state()),
          transaction
                  .isolationLevel(client.clientSettings().base())
                  .filter(TransactionMode.SERIALIZABLE::equals)
                  .isPresent()
              ? CommitPlan.ReaderOrder.BEFORE_WRITER
              : CommitPlan.ReaderOrder.WITH_WRITER);
    } else {
      if (verb == TransactionVerb.COMMIT && failure == null) {
        failure = transaction.unreportedLoss().orElse(null);
      }
      List<ServerConnection> servers = client.participants().all();
      servers.removeIf(EndStep::isClean);
      started.rollBack(servers);
    }
    return () -> started.isDone() || !started.needsServers();
  }

  /** The servers are given back; what recovery commits for them is waited for. */
  private ExecutionStep ended() {
    EndRun now = requireNonNull(run);
    failure = now.failure().orElse(failure);
    client.end().finish(now.isCommitted());
    client.participants().releaseAll();
    if (now.isDone()) {
      return ExecutionStep.DONE;
    }
    ExecutionStep recovered = now::isDone;
    return recovered.thenDo(client.participants()::hasWrittenNow);
  }

  /** After DDL the client is answered when its next statement can be planned with the new map. */
  private ExecutionStep over() {
    EndRun now = requireNonNull(run);
    client.end().close();
    now.warning().ifPresent(warning -> BackendMessages.noticeResponse(client.out(), warning));
    if (failure != null) {
      throw new StatementException(failure);
    }
    return now.isCommitted() && client.ownTables().isChanged()
        ? SchemaSteps.publishing(client, client.ownTables(), client.context().cluster().catalogs())
        : ExecutionStep.DONE;
  }

  private static CommitFrame frame(Transaction transaction, SettingsState settings) {
    String savepoint = transaction.ownSavepoint();
    String release = savepoint.isEmpty() ? "" : "RELEASE SAVEPOINT \"" + savepoint + "\";";
    return new CommitFrame(
        SettingsSql.lastingRole(settings),
        release + SettingsSql.loginRole(settings),
        SettingsSql.roleAgain(settings));
  }

  private boolean isQuiet() {
    boolean quiet = true;
    for (ServerConnection server : client.participants().enlisted()) {
      if (server.dialog().isUnsynced()) {
        server.sync(AnswerHandler.SWALLOW);
      }
      if (!server.hasAnswered()) {
        server.flush();
        quiet = false;
      }
    }
    return quiet;
  }

  /** Whether nothing can have begun there, or be on its way. */
  private static boolean isClean(ServerConnection server) {
    return server.isQuiet()
        && server.status() == TransactionStatus.IDLE
        && !server.dialog().isEnlisted();
  }
}
