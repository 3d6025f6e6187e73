package io.shardmark.proxy.commit;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Function;

/**
 * Carries one commit out: takes the events, keeps the state, performs the effects. Belongs to the
 * session's event loop.
 */
public final class CommitRun {
  private final CommitActions actions;
  private final Queue<CommitEffect> pending = new ArrayDeque<>();
  private CommitState state;
  private boolean performing;

  private CommitRun(CommitActions actions, CommitState state) {
    this.actions = actions;
    this.state = state;
  }

  /** Makes the run of a plan; nothing is done until {@link #begin}. */
  public static CommitRun of(CommitPlan plan, CommitActions actions) {
    CommitState.Step first = CommitState.begin(plan);
    CommitRun run = new CommitRun(actions, first.next());
    run.pending.addAll(first.effects());
    return run;
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
