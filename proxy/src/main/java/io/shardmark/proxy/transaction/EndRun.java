package io.shardmark.proxy.transaction;

import io.shardmark.proxy.commit.CommitActions;
import io.shardmark.proxy.commit.CommitFailure;
import io.shardmark.proxy.commit.CommitPlan;
import io.shardmark.proxy.commit.CommitRun;
import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.Outcome;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.LoopTimer;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends one transaction on all its shards, by a COMMIT or a ROLLBACK of the proxy's own: performs
 * what {@link CommitRun} says. What it was asked before has been answered.
 */
public final class EndRun extends Patience.Awaited implements CommitActions {
  private static final Logger LOG = LoggerFactory.getLogger(EndRun.class);

  /** A statement on its way, and what the probe learns of it. */
  record Sent(int shard, CommitProbe.Step before, CommitProbe.Step after) {}

  private record Waiting(ServerConnection server, String sql, Sent sent, EndAnswer answer) {}

  private final Surroundings surroundings;
  private final Runnable goOn;
  private final CommitPhases phases;
  private final Map<Integer, ErrorFields> errors = new HashMap<>();
  private final Map<Integer, ServerConnection> participants = new HashMap<>();

  /** Statements for servers to which a cancel request is on its way. */
  private final List<Waiting> waiting = new ArrayList<>();

  private @Nullable CommitRun run;
  private @Nullable Gid gid;
  private @Nullable ErrorFields failure;
  private boolean committed;
  private String beforeDecision = "";
  private LoopCounter kind = LoopCounter.COMMITS_ONE_SHARD;

  /**
   * @param goOn runs when it may be done, without an answer of a server
   */
  public EndRun(Surroundings surroundings, Runnable goOn) {
    this.surroundings = surroundings;
    this.goOn = goOn;
    this.phases = new CommitPhases(surroundings.counters());
  }

  /**
   * Commits; {@link CommitPlan} says how.
   *
   * @param readOnly whatever servers it seems to have written on
   * @param savepoint to be released before the decision can be written, or ""
   */
  public void commit(
      List<ServerConnection> servers,
      boolean readOnly,
      String savepoint,
      CommitPlan.ReaderOrder order) {
    beforeDecision = savepoint;
    List<Integer> writers = new ArrayList<>();
    List<Integer> readers = new ArrayList<>();
    for (ServerConnection server : servers) {
      (server.hasWritten() && !readOnly ? writers : readers).add(server.shard());
    }
    CommitPlan plan = new CommitPlan(writers, readers, order);
    kind = kind(plan);
    if (!plan.isTwoPhase()) {
      begin(servers, CommitRun.local(plan, this));
      return;
    }
    Gid drawn = surroundings.gids().next(names(anchors(servers, writers)));
    gid = drawn;
    surroundings.counters().add(LoopCounter.TWO_PHASE_COMMITS_OPEN, 1);
    CommitPlan anchored = plan.withAnchor(surroundings.shardNames().indexOf(drawn.anchor()));
    begin(servers, CommitRun.twoPhase(anchored, drawn, surroundings.gids(), this));
  }

  /**
   * Those of the writers that can write a decision: not where a function may have made the
   * transaction read only, if there is another.
   */
  private static List<Integer> anchors(List<ServerConnection> servers, List<Integer> writers) {
    List<Integer> anchors = new ArrayList<>(writers);
    servers.stream()
        .filter(ServerConnection::hasUnseenSettings)
        .forEach(server -> anchors.remove((Integer) server.shard()));
    return anchors.isEmpty() ? writers : anchors;
  }

  /** Rolls back, which always succeeds: what a shard does not hear of ends with its connection. */
  public void rollBack(List<ServerConnection> servers) {
    List<Integer> shards = servers.stream().map(ServerConnection::shard).toList();
    begin(servers, CommitRun.rollback(shards, this));
  }

  private void begin(List<ServerConnection> servers, CommitRun started) {
    servers.forEach(server -> participants.put(server.shard(), server));
    surroundings.patience().begin(this);
    run = started;
    started.begin();
  }

  private List<String> names(List<Integer> shards) {
    return shards.stream().map(surroundings.shardNames()::get).toList();
  }

  private static LoopCounter kind(CommitPlan plan) {
    return plan.isTwoPhase()
        ? LoopCounter.COMMITS_TWO_PHASE
        : plan.writers().size() + plan.readers().size() > 1
            ? LoopCounter.COMMITS_ONE_WRITER
            : LoopCounter.COMMITS_ONE_SHARD;
  }

  private CommitRun run() {
    CommitRun now = run;
    if (now == null) {
      throw new IllegalStateException("the end of a transaction has not begun");
    }
    return now;
  }

  /** To be asked until it is, also when a cancel request has been delivered. */
  public boolean isDone() {
    for (Waiting each : List.copyOf(waiting)) {
      if (!each.server().isBeingCancelled()) {
        waiting.remove(each);
        send(each.sql(), each.sent(), each.answer());
      }
    }
    return run().isDone();
  }

  /** Whether a cancel request may still end it. */
  public boolean isCancellable() {
    return run().state().isCancellable();
  }

  /** Done; to be called once. */
  public void close() {
    surroundings.patience().end(this);
    if (gid != null) {
      surroundings.counters().add(LoopCounter.TWO_PHASE_COMMITS_OPEN, -1);
    }
  }

  /** Whether everything is committed. */
  public boolean isCommitted() {
    return committed;
  }

  /** The error that the client gets; empty if it gets the tag of what was done. */
  public Optional<ErrorFields> failure() {
    return Optional.ofNullable(failure);
  }

  /** Of the two-phase commit; "" if it is none. */
  public String gidText() {
    return gid == null ? "" : gid.text();
  }

  /** What it is doing. */
  public String word() {
    return run().state().word();
  }

  /** A participant's connection is gone. */
  public void connectionLost(int shard) {
    if (participants.remove(shard) != null) {
      run().on(state -> state.onConnectionLost(shard));
    }
  }

  // ---- what the states ask for ----

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
        CommitSql.prepare(gid(), surroundings.shardNames().get(shard)),
        new Sent(shard, CommitProbe.Step.BEFORE_PREPARE, CommitProbe.Step.AFTER_PREPARE));
  }

  @Override
  public void commit(int shard) {
    // A commit of one shard has no phases; readers of a two-phase commit end with its first.
    if (participants.size() > 1 && gid == null) {
      phases.enter(LoopTimer.COMMIT);
    }
    send(
        CommitSql.COMMIT,
        new Sent(shard, CommitProbe.Step.BEFORE_COMMIT, CommitProbe.Step.AFTER_COMMIT));
  }

  /** Behind whatever is still on its way there. */
  @Override
  public void rollback(int shard) {
    phases.end();
    ServerConnection server = participants.get(shard);
    if (server != null && server.isSkippingToSync()) {
      server.sync(AnswerHandler.SWALLOW);
    }
    send(
        CommitSql.ROLLBACK,
        new Sent(shard, CommitProbe.Step.BEFORE_ROLLBACK, CommitProbe.Step.AFTER_ROLLBACK));
  }

  @Override
  public void decide(int anchor) {
    phases.enter(LoopTimer.DECIDE);
    send(
        CommitSql.decideAndCommit(gid(), beforeDecision),
        new Sent(anchor, CommitProbe.Step.BEFORE_DECIDE, CommitProbe.Step.AFTER_DECIDE));
  }

  @Override
  public void commitPrepared(int shard) {
    phases.enter(LoopTimer.COMMIT_PREPARED);
    send(
        CommitSql.commitPrepared(gid(), surroundings.shardNames().get(shard)),
        new Sent(
            shard,
            CommitProbe.Step.BEFORE_COMMIT_PREPARED,
            CommitProbe.Step.AFTER_COMMIT_PREPARED));
  }

  @Override
  public void rollbackPrepared(int shard) {
    phases.end();
    send(
        CommitSql.rollbackPrepared(gid(), surroundings.shardNames().get(shard)),
        new Sent(shard, CommitProbe.Step.BEFORE_ROLLBACK, CommitProbe.Step.AFTER_ROLLBACK));
  }

  private void reached(CommitProbe.Step step, int shard) {
    surroundings.probe().reached(step, gidText(), shard);
  }

  private void send(String sql, Sent sent) {
    send(sql, sent, new EndAnswer(this, sent));
  }

  private void send(String sql, Sent sent, EndAnswer answer) {
    ServerConnection server = participants.get(sent.shard());
    if (server != null && server.isBeingCancelled()) {
      waiting.add(new Waiting(server, sql, sent, answer)); // what is cancelled is not this
      return;
    }
    reached(sent.before(), sent.shard());
    if (server == null || server.isClosed()) {
      connectionLost(sent.shard());
      return;
    }
    server.query(sql, answer);
    server.flush();
    renew();
  }

  @Override
  protected boolean isAwaited() {
    return true;
  }

  /** Their connections are lost then: the states know what is to be done for that. */
  @Override
  protected void late() {
    for (ServerConnection server : List.copyOf(participants.values())) {
      if (!server.hasAnswered()) {
        LOG.warn(
            "shard {} has not answered a step of the end of a transaction within commit_timeout{}",
            surroundings.shardNames().get(server.shard()),
            gid == null ? "" : ": " + gid);
        server.abandon("it has not answered within commit_timeout");
      }
    }
  }

  /**
   * The error came before anything was ended, as that of a cancel request does which the statement
   * met at its beginning: the transaction is rolled back, and that answered with this error.
   *
   * @return false if the step is none that ends it: what is to be done then is the state's to say
   */
  boolean rolledBackFor(Sent sent, EndAnswer answer) {
    boolean ends =
        sent.before() == CommitProbe.Step.BEFORE_COMMIT
            || sent.before() == CommitProbe.Step.BEFORE_ROLLBACK;
    if (ends) {
      send(CommitSql.ROLLBACK, sent, answer);
    }
    return ends;
  }

  /** An error before the ROLLBACK made the server skip it. */
  void skipped(Sent sent) {
    if (sent.before() == CommitProbe.Step.BEFORE_ROLLBACK) {
      rollback(sent.shard());
    }
  }

  /** A step of this end has been answered. */
  void answered(Sent sent, String tag, @Nullable ErrorFields error) {
    int shard = sent.shard();
    reached(sent.after(), shard);
    if (error == null) {
      switch (tag) {
        case CommitSql.PREPARE_TAG -> run().on(state -> state.onPrepared(shard));
        case CommitSql.COMMIT_TAG -> run().on(state -> state.onCommitted(shard));
        case CommitSql.COMMIT_PREPARED_TAG -> run().on(state -> state.onCommittedPrepared(shard));
        case CommitSql.ROLLBACK_TAG, CommitSql.ROLLBACK_PREPARED_TAG ->
            run().on(state -> state.onRolledBack(shard));
        default -> run().on(state -> state.onFailed(shard));
      }
      return;
    }
    errors.putIfAbsent(shard, error);
    boolean taken =
        sent.before() == CommitProbe.Step.BEFORE_DECIDE
            && error.sqlState().equals(SqlState.UNIQUE_VIOLATION)
            && tag.isEmpty();
    run().on(state -> taken ? state.onDecisionTaken() : state.onFailed(shard));
  }

  @Override
  public void askAnchor(int anchor) {
    surroundings
        .inDoubt()
        .ask(gid(), outcome -> surroundings.loop().execute(() -> learnt(outcome)));
  }

  private void learnt(Outcome outcome) {
    run().on(state -> state.onOutcome(outcome));
    goOn.run();
  }

  @Override
  public void answerCommitted() {
    phases.end();
    surroundings.counters().count(kind);
    committed = true;
  }

  @Override
  public void answerFailed(CommitFailure why) {
    phases.end();
    boolean asked = why instanceof CommitFailure.Asked;
    surroundings.counters().count(asked ? LoopCounter.ROLLBACKS : LoopCounter.COMMITS_ABORTED);
    failure = EndErrors.failed(why, errors, surroundings.shardNames());
  }

  @Override
  public void answerUnknown() {
    phases.end();
    surroundings.counters().count(LoopCounter.COMMITS_UNKNOWN);
    failure =
        EndErrors.unknown(
            "the connection was lost during the commit, and its outcome cannot be learnt now", gid);
  }

  @Override
  public void recover() {
    surroundings.counters().count(LoopCounter.COMMITS_LEFT);
    surroundings.inDoubt().lookSoon();
  }
}
