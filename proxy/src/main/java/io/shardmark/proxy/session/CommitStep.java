package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.commit.CommitActions;
import io.shardmark.proxy.commit.CommitFailure;
import io.shardmark.proxy.commit.CommitPlan;
import io.shardmark.proxy.commit.CommitRun;
import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.LoopGauge;
import io.shardmark.proxy.metrics.LoopTimer;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TransactionStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the session's transaction on all its shards: performs what {@link CommitRun} says. Goes
 * on to its end without its client if that one leaves.
 */
final class CommitStep implements Step, CommitActions {
  private static final Logger LOG = LoggerFactory.getLogger(CommitStep.class);

  private final ClientSession session;
  private final List<String> shardNames;
  private final CommitPhases phases;
  private final CommitDeadline deadline;
  private final Map<Integer, ErrorFields> errors = new HashMap<>();
  private final Map<Integer, ServerConnection> participants = new HashMap<>();
  private @Nullable CommitRun run;
  private @Nullable Gid gid;
  private @Nullable StatementException failure;
  private @Nullable Step rollback;
  private boolean committed;
  private boolean rolledBack;
  private boolean ended;
  private LoopCounter kind = LoopCounter.COMMITS_ONE_SHARD;
  private @Nullable SchemaRefresh refresh;

  private CommitStep(ClientSession session) {
    this.session = session;
    this.shardNames = session.context().pools().shardNames();
    this.deadline =
        new CommitDeadline(
            session.context().loop(),
            session.context().config().limits().commitTimeout(),
            this::abandonSilent);
    this.phases = new CommitPhases(session.context().counters());
  }

  static CommitStep of(ClientSession session) {
    return new CommitStep(session);
  }

  /** Of the two-phase commit; "" if it is none. */
  String gidText() {
    return gid == null ? "" : gid.text();
  }

  /** What it is doing. */
  String word() {
    return run == null ? "committing" : run.state().word();
  }

  /** The client asked to commit, and the servers rolled back. */
  boolean answeredRollback() {
    return rolledBack;
  }

  @Override
  public boolean advance() {
    if (rollback != null) {
      rolledBack = true;
      if (!rollback.advance()) {
        return false;
      }
      if (failure != null) {
        throw failure;
      }
      return true;
    }
    if (run == null && !start()) {
      return false;
    }
    if (rollback != null) {
      return advance();
    }
    if (run != null && !run.isDone()) {
      return false;
    }
    end();
    if (failure != null) {
      throw failure;
    }
    return !committed || schemaIsRead();
  }

  private void end() {
    if (ended) {
      return;
    }
    ended = true;
    session.work().setCommit(null);
    deadline.end();
    if (gid != null) {
      session.context().counters().add(LoopGauge.TWO_PHASE_COMMITS_OPEN, -1);
    }
    session.end().finish(committed);
    session.links().releaseAll();
  }

  /** After DDL the client is answered when its next statement can be planned with the new map. */
  private boolean schemaIsRead() {
    if (refresh == null && session.ownTables().isChanged()) {
      refresh = new SchemaRefresh(session);
    }
    return refresh == null || refresh.advance();
  }

  private boolean start() {
    boolean quiet = true;
    for (ServerConnection server : session.links().enlisted()) {
      if (server.isUnsynced()) {
        server.sync(AnswerHandler.SWALLOW);
      }
      if (!server.hasAnswered()) {
        server.flush();
        quiet = false;
      }
    }
    if (!quiet) {
      return false;
    }
    if (session.transaction().isFailed()) {
      session
          .transaction()
          .untoldLoss()
          .ifPresent(error -> failure = new StatementException(error));
      rollback = new RollbackStep(session);
      return true;
    }
    List<Integer> writers = new ArrayList<>();
    List<Integer> readers = new ArrayList<>();
    for (ServerConnection server : session.links().enlisted()) {
      participants.put(server.shard(), server);
      (server.hasWritten() ? writers : readers).add(server.shard());
    }
    CommitPlan.ReaderOrder order =
        session.transaction().needsOneSnapshot(session.settings())
            ? CommitPlan.ReaderOrder.BEFORE_WRITER
            : CommitPlan.ReaderOrder.WITH_WRITER;
    CommitPlan plan = new CommitPlan(writers, readers, order);
    if (plan.isTwoPhase()) {
      gid = session.context().cluster().gids().next(shardNames.get(plan.anchor()));
      session.context().counters().add(LoopGauge.TWO_PHASE_COMMITS_OPEN, 1);
    }
    kind = kind(plan);
    if (participants.isEmpty()) {
      committed = true;
      session.context().counters().count(kind);
      return true;
    }
    session.work().setCommit(this);
    Gid drawn = gid;
    CommitRun started =
        drawn == null
            ? CommitRun.local(plan, this)
            : CommitRun.twoPhase(plan, drawn, session.context().cluster().gids(), this);
    run = started;
    started.begin();
    return true;
  }

  private LoopCounter kind(CommitPlan plan) {
    return plan.isTwoPhase()
        ? LoopCounter.COMMITS_TWO_PHASE
        : participants.size() > 1 ? LoopCounter.COMMITS_ONE_WRITER : LoopCounter.COMMITS_ONE_SHARD;
  }

  /** A participant's connection is gone. */
  void connectionLost(int shard) {
    CommitRun now = run;
    if (now != null && participants.remove(shard) != null) {
      now.on(state -> state.onConnectionLost(shard));
    }
  }

  // ---- what the commit asks for ----

  private Gid gid() {
    Gid known = gid;
    if (known == null) {
      throw new IllegalStateException("a commit of one shard has no gid");
    }
    return known;
  }

  @Override
  public void prepare(int shard) {
    phases.enter(LoopTimer.PREPARE);
    send(
        shard,
        CommitSql.prepare(gid(), shardNames.get(shard)),
        CommitProbe.Step.BEFORE_PREPARE,
        CommitProbe.Step.AFTER_PREPARE);
  }

  @Override
  public void commit(int shard) {
    // A commit of one shard has no phases; readers of a two-phase commit end with its first.
    if (participants.size() > 1 && gid == null) {
      phases.enter(LoopTimer.COMMIT);
    }
    send(shard, CommitSql.COMMIT, CommitProbe.Step.BEFORE_COMMIT, CommitProbe.Step.AFTER_COMMIT);
  }

  @Override
  public void rollback(int shard) {
    phases.end();
    send(
        shard,
        CommitSql.ROLLBACK,
        CommitProbe.Step.BEFORE_ROLLBACK,
        CommitProbe.Step.AFTER_ROLLBACK);
  }

  @Override
  public void decide(int anchor) {
    phases.enter(LoopTimer.DECIDE);
    send(
        anchor,
        CommitSql.decideAndCommit(gid()),
        CommitProbe.Step.BEFORE_DECIDE,
        CommitProbe.Step.AFTER_DECIDE);
  }

  @Override
  public void commitPrepared(int shard) {
    phases.enter(LoopTimer.COMMIT_PREPARED);
    send(
        shard,
        CommitSql.commitPrepared(gid(), shardNames.get(shard)),
        CommitProbe.Step.BEFORE_COMMIT_PREPARED,
        CommitProbe.Step.AFTER_COMMIT_PREPARED);
  }

  @Override
  public void rollbackPrepared(int shard) {
    phases.end();
    send(
        shard,
        CommitSql.rollbackPrepared(gid(), shardNames.get(shard)),
        CommitProbe.Step.BEFORE_ROLLBACK,
        CommitProbe.Step.AFTER_ROLLBACK);
  }

  private void reached(CommitProbe.Step step, int shard) {
    session.context().cluster().probe().reached(step, gidText(), shard);
  }

  private void send(int shard, String sql, CommitProbe.Step before, CommitProbe.Step after) {
    reached(before, shard);
    ServerConnection server = participants.get(shard);
    if (server == null || server.isClosed()) {
      connectionLost(shard);
      return;
    }
    server.query(sql, new Answer(shard, before, after));
    server.flush();
    deadline.extend();
  }

  /** Their connections are lost then: the states know what is to be done for that. */
  private void abandonSilent() {
    for (ServerConnection server : List.copyOf(participants.values())) {
      if (!server.hasAnswered()) {
        LOG.warn(
            "shard {} has not answered a step of a commit within commit_timeout{}",
            shardNames.get(server.shard()),
            gid == null ? "" : ": " + gid);
        server.abandon("it has not answered within commit_timeout");
      }
    }
  }

  /** Turns an answer into the event it means. */
  private final class Answer extends CapturedAnswer {
    private final int shard;
    private final CommitProbe.Step before;
    private final CommitProbe.Step after;

    Answer(int shard, CommitProbe.Step before, CommitProbe.Step after) {
      this.shard = shard;
      this.before = before;
      this.after = after;
    }

    @Override
    public void message(ServerConnection server, byte type, ByteBuf buffer, int start, int length) {
      super.message(server, type, buffer, start, length);
      passParameter(server, type, buffer, start, length);
    }

    @Override
    public void completed(ServerConnection server, TransactionStatus status) {
      super.completed(server, status);
      reached(after, shard);
      CommitRun now = run;
      if (now == null) {
        return;
      }
      ErrorFields error = error();
      if (error != null) {
        errors.putIfAbsent(shard, error);
        boolean taken =
            before == CommitProbe.Step.BEFORE_DECIDE
                && error.sqlState().equals(SqlState.UNIQUE_VIOLATION)
                && tag().isEmpty();
        if (taken) {
          now.on(state -> state.onDecisionTaken());
        } else {
          now.on(state -> state.onFailed(shard));
        }
        return;
      }
      switch (tag()) {
        case CommitSql.PREPARE_TAG -> now.on(state -> state.onPrepared(shard));
        case CommitSql.COMMIT_TAG -> now.on(state -> state.onCommitted(shard));
        case CommitSql.COMMIT_PREPARED_TAG -> now.on(state -> state.onCommittedPrepared(shard));
        case CommitSql.ROLLBACK_TAG, CommitSql.ROLLBACK_PREPARED_TAG ->
            now.on(state -> state.onRolledBack(shard));
        default -> now.on(state -> state.onFailed(shard));
      }
    }
  }

  @Override
  public void askAnchor(int anchor) {
    session
        .context()
        .cluster()
        .inDoubt()
        .ask(
            gid(),
            outcome ->
                session
                    .context()
                    .loop()
                    .execute(
                        () -> {
                          CommitRun now = run;
                          if (now != null) {
                            now.on(state -> state.onOutcome(outcome));
                          }
                          session.proceed();
                        }));
  }

  @Override
  public void answerCommitted() {
    phases.end();
    session.context().counters().count(kind);
    committed = true;
  }

  @Override
  public void answerFailed(CommitFailure why) {
    phases.end();
    session.context().counters().count(LoopCounter.COMMITS_ABORTED);
    if (why instanceof CommitFailure.ServerError server) {
      ErrorFields error = errors.get(server.shard());
      failure =
          new StatementException(
              error != null
                  ? error
                  : ErrorFields.error(SqlState.INTERNAL_ERROR, "a shard did not commit"));
    } else if (why instanceof CommitFailure.ConnectionLost lost) {
      failure =
          new StatementException(
              SqlState.CONNECTION_FAILURE,
              "connection to shard " + shardNames.get(lost.shard()) + " lost before the commit");
    } else if (why instanceof CommitFailure.DecidedByRecovery) {
      failure =
          new StatementException(
              SqlState.SERIALIZATION_FAILURE,
              "the transaction was rolled back by recovery before its commit was decided");
    } else {
      rolledBack = true;
    }
  }

  @Override
  public void answerUnknown() {
    phases.end();
    session.context().counters().count(LoopCounter.COMMITS_UNKNOWN);
    failure =
        new StatementException(
            ErrorFields.error(
                    SqlState.TRANSACTION_RESOLUTION_UNKNOWN,
                    "the connection was lost during the commit, and its outcome cannot be learnt"
                        + " now")
                .withDetail(
                    gid == null
                        ? "The transaction was on one shard."
                        : "Transaction " + gid().text() + " will be finished by recovery."));
  }

  @Override
  public void recover() {
    session.context().counters().count(LoopCounter.COMMITS_LEFT);
    session.context().cluster().inDoubt().lookSoon();
  }
}
