package io.shardmark.proxy.transaction;

import io.shardmark.proxy.commit.CommitFailure;
import io.shardmark.proxy.commit.CommitFrame;
import io.shardmark.proxy.commit.CommitPlan;
import io.shardmark.proxy.commit.CommitPlan.ReaderOrder;
import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.commit.CommitState;
import io.shardmark.proxy.commit.CommitState.Event;
import io.shardmark.proxy.commit.CommitStatement;
import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.Outcome;
import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.LoopTimer;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.shardmap.ShardSet;
import io.shardmark.proxy.snapshot.GateSql;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends one transaction on all its shards, by a COMMIT or a ROLLBACK of the proxy's own: sends what
 * {@link CommitState} says, and gives it what comes of that. What the servers were asked before has
 * been answered.
 */
public final class EndRun extends Patience.Awaited {
  private static final Logger LOG = LoggerFactory.getLogger(EndRun.class);

  private final Surroundings surroundings;
  private final Runnable goOn;
  private final Map<Integer, ErrorFields> errors = new HashMap<>();
  private final Map<Integer, ServerConnection> participants = new HashMap<>();

  /** What is to be sent, in this order: sending may fail at once, and what follows comes after. */
  private final Queue<EndAnswer> unsent = new ArrayDeque<>();

  private boolean sending;

  /** Answers of servers to which a cancel request is on its way: they are asked after that. */
  private final List<EndAnswer> waiting = new ArrayList<>();

  /** What recovery commits instead, by shard. */
  private final Map<Integer, CompletableFuture<@Nullable Void>> recovering = new HashMap<>();

  private @Nullable CommitState state;
  private @Nullable Gid gid;
  private @Nullable ErrorFields failure;
  private boolean isCommit;
  private CommitFrame frame = CommitFrame.NONE;
  private LoopCounter kind = LoopCounter.COMMITS_ONE_SHARD;

  /** Of a commit over several shards, which one at a time is under way. */
  private @Nullable LoopTimer phase;

  private long phaseBeginNanos;

  /**
   * @param goOn runs when it may be done, without an answer of a server
   */
  public EndRun(Surroundings surroundings, Runnable goOn) {
    this.surroundings = surroundings;
    this.goOn = goOn;
  }

  /**
   * Commits; {@link CommitPlan} says how.
   *
   * @param readOnly whatever servers it seems to have written on
   * @param savepoint to be released before the decision can be written, or ""
   */
  public void commit(
      List<ServerConnection> servers, boolean readOnly, CommitFrame around, ReaderOrder order) {
    isCommit = true;
    frame = around;
    CommitPlan plan = plan(servers, readOnly, order);
    if (plan.isTwoPhase()) {
      kind = LoopCounter.COMMITS_TWO_PHASE;
      Gid drawn = surroundings.gids().next(names(anchors(servers, plan)));
      gid = drawn;
      surroundings.counters().add(LoopCounter.TWO_PHASE_COMMITS_OPEN, 1);
      plan = plan.withAnchor(surroundings.shardNames().indexOf(drawn.anchor()));
    } else if (servers.size() > 1) {
      kind = LoopCounter.COMMITS_ONE_WRITER;
    }
    begin(servers, CommitState.begin(plan));
  }

  /** What took locks is asked as a writer is where readers end first: it cannot end then. */
  private static CommitPlan plan(
      List<ServerConnection> servers, boolean readOnly, ReaderOrder order) {
    boolean writes = !readOnly && servers.stream().anyMatch(server -> server.dialog().hasWritten());
    List<Integer> writers = new ArrayList<>();
    List<Integer> readers = new ArrayList<>();
    ShardSet last = ShardSet.EMPTY;
    for (ServerConnection server : servers) {
      boolean locked = writes && server.dialog().hasLocked();
      boolean wrote = writes && server.dialog().hasWritten();
      boolean prepares = wrote || (locked && order == ReaderOrder.BEFORE_WRITER);
      (prepares ? writers : readers).add(server.shard());
      last = locked ? last.with(server.shard()) : last;
    }
    return new CommitPlan(writers, readers, order, last);
  }

  /**
   * Those of the writers that can write a decision: where a notification was sent, which only a
   * plain COMMIT sends on; else those that end first, but not where a function may have made the
   * transaction read only, if there is another.
   */
  private static List<Integer> anchors(List<ServerConnection> servers, CommitPlan plan) {
    List<Integer> notifying =
        servers.stream()
            .filter(server -> server.dialog().hasNotified())
            .map(ServerConnection::shard)
            .toList();
    if (!notifying.isEmpty()) {
      return notifying;
    }
    List<Integer> anchors = new ArrayList<>(plan.anchors());
    servers.stream()
        .filter(server -> server.dialog().hasUnseenSettings())
        .forEach(server -> anchors.remove((Integer) server.shard()));
    return anchors.isEmpty() ? plan.anchors() : anchors;
  }

  /** Rolls back, which always succeeds: what a shard does not hear of ends with its connection. */
  public void rollBack(List<ServerConnection> servers) {
    begin(servers, CommitState.rollback(servers.stream().map(ServerConnection::shard).toList()));
  }

  private void begin(List<ServerConnection> servers, CommitState first) {
    servers.forEach(server -> participants.put(server.shard(), server));
    surroundings.patience().begin(this);
    become(first, first.sends());
  }

  private List<String> names(List<Integer> shards) {
    return shards.stream().map(surroundings.shardNames()::get).toList();
  }

  private CommitState state() {
    CommitState now = state;
    if (now == null) {
      throw new IllegalStateException("the end of a transaction has not begun");
    }
    return now;
  }

  /** To be asked until it is, also when a cancel request has been delivered. */
  public boolean isDone() {
    for (EndAnswer each : List.copyOf(waiting)) {
      if (!isBeingCancelled(each.shard)) {
        waiting.remove(each);
        send(each);
      }
    }
    return state().isDone();
  }

  /** Whether it is a COMMIT, not a ROLLBACK. */
  public boolean isCommit() {
    return isCommit;
  }

  /** Whether a cancel request may still end it. */
  public boolean isCancellable() {
    return state().phase().isCancellable();
  }

  /** Whether the participants' connections are still needed. */
  public boolean needsServers() {
    return !state().isDone() && state().phase() != CommitState.CommitPhase.RECOVERING;
  }

  /** Nobody waits for it any more. */
  public void close() {
    stopWaiting();
    surroundings.patience().end(this);
  }

  /**
   * Recovery is not waited for any longer: the client learns what cannot be seen yet.
   *
   * @return whether it was
   */
  public boolean stopWaiting() {
    List<Integer> shards = List.copyOf(recovering.keySet());
    stopWaiting(shards);
    return !shards.isEmpty();
  }

  private void stopWaiting(List<Integer> shards) {
    for (int shard : shards) {
      CompletableFuture<@Nullable Void> given = recovering.remove(shard);
      if (given != null) {
        given.cancel(false);
        on(Event.FAILED, shard);
      }
    }
  }

  /** Whether everything is committed; once servers are not needed. */
  public boolean isCommitted() {
    return state().outcome() == Outcome.COMMITTED;
  }

  /** What the client learns besides that, once it is done. */
  public Optional<ErrorFields> warning() {
    return isCommitted() && !state().left().isEmpty()
        ? Optional.of(EndErrors.notShown(names(state().left().indexes())))
        : Optional.empty();
  }

  /** The error that the client gets; empty if it gets the tag of what was done. */
  public Optional<ErrorFields> failure() {
    return Optional.ofNullable(failure);
  }

  /** Of the two-phase commit; "" if it is invalid. */
  public String gidText() {
    return gid == null ? "" : gid.text();
  }

  /** On which it ends the transaction. */
  public List<Integer> shards() {
    return state().plan().shards();
  }

  /** What it is doing. */
  public String word() {
    return state().phase().word();
  }

  /** A participant's connection is gone. */
  public void connectionLost(int shard) {
    if (participants.remove(shard) != null) {
      on(Event.LOST, shard);
    }
  }

  // ---- what follows from an event ----

  private void on(Event event, int shard) {
    become(state().on(event, shard));
  }

  private void become(CommitState next) {
    become(next, next.sends(state()));
  }

  private void become(CommitState next, Map<Integer, CommitStatement> sends) {
    Optional<CommitState.CommitPhase> before = Optional.ofNullable(state).map(CommitState::phase);
    state = next;
    sends.forEach((shard, statement) -> unsent.add(new EndAnswer(shard, statement)));
    sendAll();
    if (before.isPresent() && before.get() == next.phase()) {
      return;
    }
    if (next.phase() == CommitState.CommitPhase.ASKING) {
      var unused =
          surroundings
              .recoverer()
              .ask(gid())
              .thenAccept(outcome -> surroundings.loop().execute(() -> learnt(outcome)));
    } else if (next.isDone()) {
      over(next);
    }
  }

  private void learnt(Outcome outcome) {
    become(state().onOutcome(outcome));
    goOn.run();
  }

  /** The client may have its answer. */
  private void over(CommitState end) {
    enter(null);
    surroundings.patience().end(this);
    Gid known = gid;
    if (known != null) {
      surroundings.gids().release(known); // recovery may look at it from now on
      surroundings.counters().add(LoopCounter.TWO_PHASE_COMMITS_OPEN, -1);
    }
    end.failure().ifPresent(why -> failure = EndErrors.of(why, known, errors, surroundings));
    surroundings
        .counters()
        .count(
            switch (end.outcome()) {
              case COMMITTED -> kind;
              case ABORTED ->
                  end.failure().filter(CommitFailure.Asked.class::isInstance).isPresent()
                      ? LoopCounter.ROLLBACKS
                      : LoopCounter.COMMITS_ABORTED;
              case UNKNOWN -> LoopCounter.COMMITS_UNKNOWN;
            });
    if (!end.left().isEmpty()) {
      surroundings.counters().count(LoopCounter.COMMITS_LEFT);
      surroundings.recoverer().request();
    }
  }

  private void enter(@Nullable LoopTimer next) {
    LoopTimer before = phase;
    if (before == next) {
      return; // once for each of its shards
    }
    if (before != null) {
      surroundings.counters().record(before, System.nanoTime() - phaseBeginNanos);
    }
    phase = next;
    phaseBeginNanos = System.nanoTime();
  }

  // ---- what is sent ----

  private Gid gid() {
    Gid known = gid;
    if (known == null) {
      throw new IllegalStateException("a commit of one shard has no gid");
    }
    return known;
  }

  private void sendAll() {
    if (sending) {
      return;
    }
    sending = true;
    try {
      while (!unsent.isEmpty()) {
        EndAnswer next = unsent.remove();
        measure(next.statement);
        if (next.statement == CommitStatement.RECOVER) {
          recover(next.shard);
          continue;
        }
        ServerConnection server = participants.get(next.shard);
        if (next.statement == CommitStatement.ROLLBACK
            && server != null
            && server.dialog().isSkippingToSync()) {
          server.sync(AnswerHandler.SWALLOW); // after whatever is still on its way there
        }
        send(next);
      }
    } finally {
      sending = false;
    }
  }

  private void recover(int shard) {
    CompletableFuture<@Nullable Void> part =
        surroundings.recoverer().commit(gid(), surroundings.shardNames().get(shard));
    recovering.put(shard, part);
    var unused = part.thenRun(() -> surroundings.loop().execute(() -> recovered(shard)));
    renew();
  }

  private void recovered(int shard) {
    if (recovering.remove(shard) != null) {
      on(Event.DONE, shard);
      goOn.run();
    }
  }

  private void measure(CommitStatement statement) {
    switch (statement) {
      case PREPARE -> enter(LoopTimer.PREPARE);
      case DECIDE -> enter(LoopTimer.DECIDE);
      case COMMIT_PREPARED, RECOVER -> enter(LoopTimer.COMMIT_PREPARED);
      case ROLLBACK, ROLLBACK_PREPARED -> enter(null);
      case COMMIT -> {
        // A commit of one shard has no phases; readers of a two-phase commit end with its first.
        if (participants.size() > 1 && gid == null) {
          enter(LoopTimer.COMMIT);
        }
      }
    }
  }

  private void send(EndAnswer answer) {
    int shard = answer.shard;
    if (isBeingCancelled(shard)) {
      waiting.add(answer); // what is cancelled is not this
      return;
    }
    ServerConnection server = participants.get(shard);
    if (server == null || server.isClosed()) {
      connectionLost(shard);
      return;
    }
    server.query(answer.sql(), answer);
    server.flush();
    renew();
  }

  private boolean isBeingCancelled(int shard) {
    ServerConnection server = participants.get(shard);
    return server != null && server.dialog().isBeingCancelled();
  }

  private String sql(CommitStatement statement, int shard) {
    String name = surroundings.shardNames().get(shard);
    return switch (statement) {
      case PREPARE ->
          (state().plan().last().contains(shard) ? CommitSql.MARK_LAST : "")
              + GateSql.ENTER
              + CommitSql.prepare(gid(), name, frame);
      case COMMIT, ROLLBACK -> statement.tag();
      case DECIDE -> CommitSql.decideAndCommit(gid(), frame);
      case COMMIT_PREPARED, RECOVER -> CommitSql.commitPrepared(gid(), name);
      case ROLLBACK_PREPARED -> CommitSql.rollbackPrepared(gid(), name);
    };
  }

  /** What a server answers to a statement. */
  private final class EndAnswer extends CapturedAnswer {
    private final int shard;
    private final CommitStatement statement;

    /** The statement itself has failed before anything was ended. */
    private boolean undoing;

    EndAnswer(int shard, CommitStatement statement) {
      this.shard = shard;
      this.statement = statement;
    }

    String sql() {
      return EndRun.this.sql(undoing ? CommitStatement.ROLLBACK : statement, shard);
    }

    /** An error before the ROLLBACK made the server skip it: it is asked again. */
    @Override
    public void skipped(ServerConnection server) {
      if (statement == CommitStatement.ROLLBACK) {
        unsent.add(new EndAnswer(shard, statement));
        sendAll();
      }
    }

    @Override
    public void lost(ServerConnection server) {
      // The session says so.
    }

    /**
     * If an error came before anything was ended, as that of a cancel request does which the
     * statement met at its beginning, the transaction is rolled back, and that answered with this
     * error. Where the statement does not end it, what is to be done is the state's to say.
     */
    @Override
    public void completed(ServerConnection server, TransactionStatus status) {
      boolean hasEnded = status == TransactionStatus.IDLE || error() == null;
      if (!hasEnded
          && (statement == CommitStatement.COMMIT || statement == CommitStatement.ROLLBACK)) {
        undoing = true;
        send(this);
        return;
      }
      on(event(), shard);
    }

    private Event event() {
      ErrorFields error = error();
      if (error == null) {
        return statement.event(tag());
      }
      errors.putIfAbsent(shard, error);
      boolean taken =
          statement == CommitStatement.DECIDE
              && error.sqlState().equals(SqlState.UNIQUE_VIOLATION)
              && !tag().startsWith("INSERT");
      return taken ? Event.DECISION_TAKEN : Event.FAILED;
    }
  }

  @Override
  protected boolean isAwaited() {
    return true;
  }

  /** Their connections are lost then: the states know what is to be done for that. */
  @Override
  protected void late() {
    List<Integer> inVain = List.copyOf(recovering.keySet());
    for (ServerConnection server : List.copyOf(participants.values())) {
      if (needsServers() && !server.hasAnswered()) {
        LOG.warn(
            "shard {} has not answered a step of the end of a transaction within commit_timeout{}",
            surroundings.shardNames().get(server.shard()),
            gid == null ? "" : ": " + gid);
        server.abandon("it has not answered within commit_timeout");
      }
    }
    if (!inVain.isEmpty()) {
      LOG.warn("{} is committed, but not within commit_timeout on {}", gid, names(inVain));
      stopWaiting(inVain);
      goOn.run();
    }
  }
}
