package io.shardmark.proxy.commit;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;

/**
 * Carries one commit out: takes the events, keeps the state, performs the effects. Belongs to the
 * session's event loop.
 */
public final class CommitRun {
  private final CommitActions actions;
  private final Queue<CommitEffect> pending = new ArrayDeque<>();
  private final Runnable release;
  private CommitState state;
  private boolean performing;

  private CommitRun(CommitState.Step first, CommitActions actions, Runnable release) {
    this.actions = actions;
    this.release = release;
    this.state = first.next();
    this.pending.addAll(first.effects());
  }

  /**
   * Makes the run of a plan that needs no gid; nothing is done until {@link #begin}.
   *
   * @throws IllegalArgumentException if the plan is two-phase
   */
  public static CommitRun local(CommitPlan plan, CommitActions actions) {
    if (plan.isTwoPhase()) {
      throw new IllegalArgumentException("needs a gid: " + plan);
    }
    return new CommitRun(CommitState.begin(plan), actions, () -> {});
  }

  /** Makes the run of a ROLLBACK on these shards; nothing is done until {@link #begin}. */
  public static CommitRun rollback(List<Integer> shards, CommitActions actions) {
    return new CommitRun(CommitState.rollback(shards), actions, () -> {});
  }

  /**
   * Makes the run of a two-phase plan; nothing is done until {@link #begin}.
   *
   * @param gid drawn from {@code gids} for the plan's anchor; released when the client is answered
   */
  public static CommitRun twoPhase(
      CommitPlan plan, Gid gid, GidSequence gids, CommitActions actions) {
    if (!plan.isTwoPhase()) {
      throw new IllegalArgumentException("needs no gid: " + plan);
    }
    return new CommitRun(CommitState.begin(plan), actions, () -> gids.release(gid));
  }

  /** Performs the first effects. */
  public void begin() {
    performAll();
  }

  /**
   * Hands an event to the state, as in {@code run.on(state -> state.onPrepared(shard))}, and
   * performs what follows from it. Actions may raise events themselves (a write that fails at
   * once): their effects come after those already due.
   *
   * @throws IllegalStateException if the event cannot happen now
   */
  public void on(Function<CommitState, CommitState.Step> event) {
    CommitState.Step step = event.apply(state);
    state = step.next();
    pending.addAll(step.effects());
    if (isDone()) {
      // Before the last effects, which may ask recovery to look at it.
      release.run();
    }
    performAll();
  }

  private void performAll() {
    if (performing) {
      return;
    }
    performing = true;
    try {
      while (!pending.isEmpty()) {
        pending.remove().perform(actions);
      }
    } finally {
      performing = false;
    }
  }

  /** Where the commit stands; for SHOW TRANSACTIONS. */
  public CommitState state() {
    return state;
  }

  /** True once the client has been answered. */
  public boolean isDone() {
    return state instanceof CommitState.Done;
  }
}
