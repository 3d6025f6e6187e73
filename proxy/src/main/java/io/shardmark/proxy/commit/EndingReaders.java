package io.shardmark.proxy.commit;

import io.shardmark.proxy.shardmap.ShardSet;
import java.util.ArrayList;
import java.util.List;

/**
 * The readers of a transaction with one writer are asked first whether their reads may stand. A
 * crash here leaves nothing: the writer's transaction ends with its connection.
 *
 * @param awaited readers whose answer is missing
 */
record EndingReaders(CommitPlan plan, ShardSet awaited) implements CommitState {
  static Step begin(CommitPlan plan) {
    List<CommitEffect> effects = new ArrayList<>();
    plan.readers().forEach(shard -> effects.add(new CommitEffect.Commit(shard)));
    return new Step(new EndingReaders(plan, ShardSet.of(plan.readers())), effects);
  }

  @Override
  public Step onCommitted(int shard) {
    if (!awaited.contains(shard)) {
      return CommitState.super.onCommitted(shard);
    }
    ShardSet rest = awaited.without(shard);
    return rest.isEmpty()
        ? CommittingLocally.enter(plan, plan.writers())
        : new Step(new EndingReaders(plan, rest), List.of());
  }

  @Override
  public Step onRolledBack(int shard) {
    return awaited.contains(shard)
        ? abort(new CommitFailure.AnsweredRollback(shard), shard)
        : CommitState.super.onRolledBack(shard);
  }

  @Override
  public Step onFailed(int shard) {
    return awaited.contains(shard)
        ? abort(new CommitFailure.ServerError(shard), shard)
        : CommitState.super.onFailed(shard);
  }

  @Override
  public Step onConnectionLost(int shard) {
    boolean isWriter = plan.writers().contains(shard);
    return isWriter || awaited.contains(shard)
        ? abort(new CommitFailure.ConnectionLost(shard), shard)
        : new Step(this, List.of());
  }

  private Step abort(CommitFailure failure, int shard) {
    return Aborting.because(
            failure,
            ShardSet.EMPTY,
            awaited.without(shard),
            ShardSet.of(plan.writers()).without(shard))
        .enter(ShardSet.EMPTY, ShardSet.EMPTY);
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
