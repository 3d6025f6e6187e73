package io.shardmark.proxy.session;

import io.shardmark.proxy.commit.CommitFrame;
import io.shardmark.proxy.commit.CommitPlan;
import io.shardmark.proxy.ddl.OwnTables;
import io.shardmark.proxy.ddl.PlacementMove;
import io.shardmark.proxy.ddl.SchemaRefresh;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.routing.TransactionMode;
import io.shardmark.proxy.settings.SettingsSql;
import io.shardmark.proxy.settings.SettingsState;
import io.shardmark.proxy.shardmap.TransactionCatalogs;
import io.shardmark.proxy.transaction.EndRun;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ends the session's transaction on all its shards. A commit goes on to its end without its client
 * if that one leaves.
 */
final class EndStep implements ExecutionStep {
  private final Client client;
  private EndPhase phase;
  private @Nullable EndRun run;
  private @Nullable ErrorFields failure;
  private @Nullable SchemaRefresh refresh;
  private @Nullable ExecutionStep reading;
  private Optional<PlacementMove> move = Optional.empty();

  private enum EndPhase {
    COMMITTING,
    ROLLING_BACK,
    /** The servers are given back; what recovery commits for them is waited for. */
    RECOVERING,
    /** A changed schema may still be read. */
    ENDED
  }

  private EndStep(Client client, EndPhase first) {
    this.client = client;
    this.phase = first;
  }

  /** COMMIT, which rolls a failed transaction back. */
  static EndStep commit(Client client) {
    return new EndStep(client, EndPhase.COMMITTING);
  }

  /** Undoes everything on all servers that are held. */
  static EndStep rollback(Client client) {
    return new EndStep(client, EndPhase.ROLLING_BACK);
  }

  /** Whether the servers have committed; once it is done. */
  boolean isCommitted() {
    return run != null && run.isCommitted();
  }

  @Override
  public boolean advance() {
    EndRun now = run;
    if (now == null) {
      now = start();
    }
    if (now == null || !isOver(now)) {
      return false;
    }
    if (failure != null) {
      throw new StatementException(failure);
    }
    return !now.isCommitted() || schemaIsRead();
  }

  /** Null: servers have to answer first what is before the COMMIT. */
  private @Nullable EndRun start() {
    Transaction transaction = client.transaction();
    boolean commits = phase == EndPhase.COMMITTING;
    if (commits && !transaction.isFailed() && !(isQuiet() && isAlone())) {
      return null;
    }
    EndRun started = new EndRun(client.context().ends(), client::proceed);
    run = started;
    client.end().begin(started);
    if (commits && !transaction.isFailed() && failure == null) {
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
      if (commits && failure == null) {
        failure = transaction.unreportedLoss().orElse(null);
      }
      List<ServerConnection> servers = client.participants().all();
      servers.removeIf(EndStep::isClean);
      started.rollBack(servers);
    }
    return started;
  }

  private static CommitFrame frame(Transaction transaction, SettingsState settings) {
    String savepoint = transaction.ownSavepoint();
    String release = savepoint.isEmpty() ? "" : "RELEASE SAVEPOINT \"" + savepoint + "\";";
    return new CommitFrame(
        SettingsSql.lastingRole(settings),
        release + SettingsSql.loginRole(settings),
        SettingsSql.roleAgain(settings));
  }

  /** Whether no other client uses tables that the transaction has moved, or it has to fail. */
  private boolean isAlone() {
    try {
      if (move.isEmpty() && !isMoveKnown()) {
        return false;
      }
      return move.orElseThrow().isAlone();
    } catch (StatementException e) {
      failure = e.fields();
      return true;
    }
  }

  private boolean isMoveKnown() {
    OwnTables tables = client.ownTables();
    if (reading == null && tables.mustReadForMoved()) {
      reading = client.readingOwnTables();
    }
    if (reading != null && !reading.advance()) {
      return false;
    }
    move =
        Optional.of(
            new PlacementMove(
                client,
                client.context().cluster().placementChanges(),
                client.underWay(),
                tables.moved()));
    return true;
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

  private boolean isOver(EndRun now) {
    if (phase == EndPhase.ENDED) {
      return true;
    }
    boolean done = now.isDone();
    if (now.needsServers()) {
      return false;
    }
    if (phase != EndPhase.RECOVERING) {
      phase = EndPhase.RECOVERING;
      failure = now.failure().orElse(failure);
      client.end().finish(now.isCommitted());
      client.participants().releaseAll();
    } else if (done) {
      client.participants().hasWrittenNow();
    }
    if (done) {
      phase = EndPhase.ENDED;
      client.end().close();
      now.warning().ifPresent(warning -> BackendMessages.noticeResponse(client.out(), warning));
    }
    return done;
  }

  private TransactionCatalogs catalogs() {
    return client.context().cluster().catalogs();
  }

  /** After DDL the client is answered when its next statement can be planned with the new map. */
  private boolean schemaIsRead() {
    if (refresh == null && client.ownTables().isChanged()) {
      refresh = new SchemaRefresh(client, client.ownTables(), catalogs());
    }
    if (refresh != null && !refresh.advance()) {
      return false;
    }
    return true;
  }
}
