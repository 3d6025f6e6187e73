package io.shardmark.proxy.transaction;

import io.shardmark.proxy.commit.CommitPlan;
import io.shardmark.proxy.commit.CommitState;
import io.shardmark.proxy.commit.CommitState.Event;
import io.shardmark.proxy.commit.Outcome;
import io.shardmark.proxy.execution.LostWork;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's own COMMIT or ROLLBACK, passed on to the only shard of its transaction: the client
 * gets the server's own answer. One for each client, for one end after the other.
 */
public final class ForwardedEnd extends Patience.Awaited {
  private static final Logger LOG = LoggerFactory.getLogger(ForwardedEnd.class);

  private final Surroundings surroundings;
  private @Nullable CommitState state;
  private boolean commits;

  /** Where it is passed on to. */
  private @Nullable ServerConnection server;

  /** How many answers were asked for there before it. */
  private long askedBefore;

  /** The same when it was executed. */
  private long askedBeforeExecution;

  public ForwardedEnd(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** It is about to be passed on: nothing of it is sent yet. */
  public void comesOn(ServerConnection target) {
    server = target;
    askedBefore = target.dialog().askedCount();
  }

  /** It will be executed now; {@link #comesOn} was when the first of its messages was sent. */
  public void begin(ServerConnection target, boolean isCommit) {
    if (!target.equals(server)) {
      comesOn(target);
    }
    if (state == null) {
      surroundings.patience().begin(this);
    }
    commits = isCommit;
    askedBeforeExecution = target.dialog().askedCount();
    List<Integer> only = List.of(target.shard());
    state =
        isCommit
            ? CommitState.begin(CommitPlan.of(only, List.of(), CommitPlan.ReaderOrder.WITH_WRITER))
            : CommitState.rollback(only);
  }

  private ServerConnection server() {
    ServerConnection target = server;
    if (target == null) {
      throw new IllegalStateException("the end of a transaction comes on no server");
    }
    return target;
  }

  /** Whether one is on its way: the transaction ends with its answer. */
  public boolean isUnderWay() {
    return state != null;
  }

  /** Whether a ReadyForQuery that has just come follows it, and does not precede it. */
  public boolean isAnsweredBy(ServerConnection answering) {
    return state != null && answering.dialog().answeredCount() > askedBeforeExecution;
  }

  /**
   * The transaction is over on the server, whether an end was on its way or the client's text was
   * one that nobody knew for such.
   *
   * @param failed an error came before
   * @return whether it is committed
   */
  public boolean answered(boolean failed) {
    CommitState now = state;
    boolean committed = false;
    if (now != null) {
      Event event = commits && failed ? Event.ROLLED_BACK : Event.DONE;
      committed = now.on(event, server().shard()).outcome() == Outcome.COMMITTED;
      over();
    }
    surroundings
        .counters()
        .count(committed ? LoopCounter.COMMITS_ONE_SHARD : LoopCounter.ROLLBACKS);
    return committed;
  }

  /**
   * The connection to a server of the transaction is gone.
   *
   * @param what names the link
   * @param reason why
   * @return the answer that the client gets
   */
  public ErrorFields lost(ServerConnection gone, String what, String reason) {
    CommitState now = state;
    if (now == null) {
      return LostWork.UNDONE.error(gone.isReplicated(), what + ": " + reason);
    }
    if (now.on(Event.LOST, server().shard()).outcome() != Outcome.UNKNOWN) {
      return ErrorFields.error(SqlState.CONNECTION_FAILURE, what + ": " + reason);
    }
    if (gone.dialog().isTerminatedBefore(askedBeforeExecution)) {
      return LostWork.UNDONE.error(gone.isReplicated(), what + " before the commit: " + reason);
    }
    surroundings.counters().count(LoopCounter.COMMITS_UNKNOWN);
    return EndErrors.unknown(
        what + " during the commit, whose outcome cannot be learnt: " + reason, null);
  }

  /** It has not ended the transaction, or it has. */
  public void over() {
    if (state != null) {
      surroundings.patience().end(this);
      state = null;
    }
  }

  @Override
  protected boolean isAwaited() {
    return !server().isClosed() && server().dialog().answeredCount() >= askedBefore;
  }

  @Override
  protected void late() {
    LOG.warn(
        "shard {} has not answered the end of a transaction within commit_timeout",
        surroundings.shardNames().get(server().shard()));
    server().abandon("it has not answered within commit_timeout");
  }
}
