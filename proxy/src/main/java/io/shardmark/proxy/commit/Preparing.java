package io.shardmark.proxy.commit;

import io.shardmark.proxy.shardmap.ShardSet;
import java.util.ArrayList;
import java.util.List;

/**
 * PREPARE TRANSACTION is on its way to the writers but the anchor, COMMIT to the readers. A crash
 * here leaves prepared transactions without a decision, which recovery rolls back.
 *
 * @param awaited writers whose answer is missing
 * @param prepared writers that are prepared
 * @param readers readers whose answer is missing
 */
record Preparing(CommitPlan plan, ShardSet awaited, ShardSet prepared, ShardSet readers)
    implements CommitState {

  static Step begin(CommitPlan plan) {
    List<CommitEffect> effects = new ArrayList<>();
    plan.preparing().forEach(shard -> effects.add(new CommitEffect.Prepare(shard)));
    plan.readers().forEach(shard -> effects.add(new CommitEffect.Commit(shard)));
    return new Step(
        new Preparing(
            plan, ShardSet.of(plan.preparing()), ShardSet.EMPTY, ShardSet.of(plan.readers())),
        effects);
  }

  @Override
  public Step onPrepared(int shard) {
    if (!awaited.contains(shard)) {
      return CommitState.super.onPrepared(shard);
    }
    return next(new Preparing(plan, awaited.without(shard), prepared.with(shard), readers));
  }

  @Override
  public Step onCommitted(int shard) {
    if (!readers.contains(shard)) {
      return CommitState.super.onCommitted(shard);
    }
    return next(new Preparing(plan, awaited, prepared, readers.without(shard)));
  }

  private static Step next(Preparing state) {
    if (!state.awaited.isEmpty() || !state.readers.isEmpty()) {
      return new Step(state, List.of());
    }
    return new Step(
        new Deciding(state.plan, state.prepared, ShardSet.EMPTY),
        List.of(new CommitEffect.Decide(state.plan.anchor())));
  }

  @Override
  public Step onRolledBack(int shard) {
    if (!isAwaited(shard)) {
      return CommitState.super.onRolledBack(shard);
    }
    return abort(new CommitFailure.AnsweredRollback(shard), shard);
  }

  @Override
  public Step onFailed(int shard) {
    if (!isAwaited(shard)) {
      return CommitState.super.onFailed(shard);
    }
    return abort(new CommitFailure.ServerError(shard), shard);
  }

  @Override
  public Step onConnectionLost(int shard) {
    if (!plan.writers().contains(shard) && !readers.contains(shard)) {
      // A reader that has ended, or nobody.
      return new Step(this, List.of());
    }
    // Whether a PREPARE in flight took effect is not known, so recovery looks for it. Nothing is
    // decided yet, so aborting is safe either way.
    boolean mayBePrepared = awaited.contains(shard) || prepared.contains(shard);
    return Aborting.because(
            new CommitFailure.ConnectionLost(shard),
            awaited.without(shard),
            readers.without(shard),
            ShardSet.of(List.of(plan.anchor())).without(shard))
        .enter(
            prepared.without(shard), mayBePrepared ? ShardSet.EMPTY.with(shard) : ShardSet.EMPTY);
  }

  private boolean isAwaited(int shard) {
    return awaited.contains(shard) || readers.contains(shard);
  }

  /** The shard has answered, so its connection can be used; its block may still be open. */
  private Step abort(CommitFailure failure, int shard) {
    return Aborting.because(
            failure,
            awaited.without(shard),
            readers.without(shard),
            ShardSet.of(List.of(plan.anchor(), shard)))
        .enter(prepared, ShardSet.EMPTY);
  }

  @Override
  public boolean isCancellable() {
    return true;
  }

  @Override
  public String word() {
    return "preparing";
  }
}
