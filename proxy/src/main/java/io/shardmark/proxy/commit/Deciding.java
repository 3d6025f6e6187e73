package io.shardmark.proxy.commit;

import io.shardmark.proxy.shardmap.ShardSet;
import java.util.List;

/**
 * All participants are prepared and the anchor has been sent the decision to commit. A crash here
 * is decided by whether that COMMIT took effect: recovery's insert waits for it, then commits or
 * rolls back the others.
 *
 * @param prepared writers that are prepared and whose connection lives
 * @param left writers that are prepared and whose connection is lost
 */
record Deciding(CommitPlan plan, ShardSet prepared, ShardSet left) implements CommitState {
  @Override
  public Step onCommitted(int shard) {
    return shard == plan.anchor()
        ? Committing.enter(prepared, left)
        : CommitState.super.onCommitted(shard);
  }

  @Override
  public Step onRolledBack(int shard) {
    return shard == plan.anchor()
        ? abort(new CommitFailure.AnsweredRollback(shard))
        : CommitState.super.onRolledBack(shard);
  }

  @Override
  public Step onFailed(int shard) {
    return shard == plan.anchor()
        ? abort(new CommitFailure.ServerError(shard))
        : CommitState.super.onFailed(shard);
  }

  @Override
  public Step onDecisionTaken() {
    return abort(new CommitFailure.DecidedByRecovery());
  }

  private Step abort(CommitFailure failure) {
    return Aborting.because(
            failure, ShardSet.EMPTY, ShardSet.EMPTY, ShardSet.of(List.of(plan.anchor())))
        .enter(prepared, left);
  }

  @Override
  public Step onConnectionLost(int shard) {
    if (shard == plan.anchor()) {
      return new Step(
          new Undecided(plan, prepared, left), List.of(new CommitEffect.AskAnchor(shard)));
    }
    if (prepared.contains(shard)) {
      return new Step(new Deciding(plan, prepared.without(shard), left.with(shard)), List.of());
    }
    return new Step(this, List.of());
  }

  @Override
  public String word() {
    return "deciding";
  }
}
