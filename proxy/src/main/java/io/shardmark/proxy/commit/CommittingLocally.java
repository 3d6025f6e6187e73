package io.shardmark.proxy.commit;

import io.shardmark.proxy.shardmap.ShardSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * At most one shard was written: a plain COMMIT everywhere, the writer's is the decision. A crash
 * here leaves nothing to recover.
 *
 * @param awaited shards whose answer is missing
 * @param failure the error that the client will get instead of COMMIT
 * @param outcome as far as it is known
 */
record CommittingLocally(
    CommitPlan plan, ShardSet awaited, Optional<CommitFailure> failure, Outcome outcome)
    implements CommitState {

  static Step begin(CommitPlan plan) {
    List<Integer> all = new ArrayList<>(plan.writers());
    all.addAll(plan.readers());
    return enter(plan, all);
  }

  /** With these to commit; the others are through. */
  static Step enter(CommitPlan plan, List<Integer> shards) {
    List<CommitEffect> effects = new ArrayList<>();
    shards.forEach(shard -> effects.add(new CommitEffect.Commit(shard)));
    return next(
        new CommittingLocally(plan, ShardSet.of(shards), Optional.empty(), Outcome.COMMITTED),
        effects);
  }

  private static Step next(CommittingLocally state, List<CommitEffect> before) {
    if (!state.awaited.isEmpty()) {
      return new Step(state, before);
    }
    CommitEffect answer =
        switch (state.outcome) {
          case COMMITTED -> new CommitEffect.AnswerCommitted();
          case ABORTED -> new CommitEffect.AnswerFailed(state.failure.orElseThrow());
          case UNKNOWN -> new CommitEffect.AnswerUnknown();
        };
    return new Step(new Done(state.outcome), List.of(answer));
  }

  @Override
  public Step onCommitted(int shard) {
    if (!awaited.contains(shard)) {
      return CommitState.super.onCommitted(shard);
    }
    return next(new CommittingLocally(plan, awaited.without(shard), failure, outcome), List.of());
  }

  @Override
  public Step onRolledBack(int shard) {
    return awaited.contains(shard)
        ? failed(shard, Outcome.ABORTED, new CommitFailure.AnsweredRollback(shard))
        : CommitState.super.onRolledBack(shard);
  }

  @Override
  public Step onFailed(int shard) {
    return awaited.contains(shard)
        ? failed(shard, Outcome.ABORTED, new CommitFailure.ServerError(shard))
        : CommitState.super.onFailed(shard);
  }

  @Override
  public Step onConnectionLost(int shard) {
    if (!awaited.contains(shard)) {
      return new Step(this, List.of());
    }
    Outcome lost = plan.writers().contains(shard) ? Outcome.UNKNOWN : Outcome.ABORTED;
    return failed(shard, lost, new CommitFailure.ConnectionLost(shard));
  }

  /** Beside a writer, what happens to a reader changes nothing: its answers are complete. */
  private Step failed(int shard, Outcome now, CommitFailure what) {
    boolean counts = plan.writers().isEmpty() || plan.writers().contains(shard);
    return next(
        new CommittingLocally(
            plan,
            awaited.without(shard),
            counts ? Optional.of(failure.orElse(what)) : failure,
            counts ? now : outcome),
        List.of());
  }

  @Override
  public boolean isCancellable() {
    return true;
  }

  @Override
  public String word() {
    return "committing";
  }
}
