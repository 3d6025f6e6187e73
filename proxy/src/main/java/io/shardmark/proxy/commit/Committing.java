package io.shardmark.proxy.commit;

import io.shardmark.proxy.shardmap.ShardSet;
import java.util.ArrayList;
import java.util.List;

/**
 * The decision is durable; the prepared are being committed, and the client hears of it when they
 * are, so that it reads its own writes. A crash here obliges recovery to commit the rest.
 *
 * @param awaited writers whose COMMIT PREPARED is on its way
 * @param left writers that recovery has to commit
 */
record Committing(ShardSet awaited, ShardSet left) implements CommitState {
  static Step enter(ShardSet prepared, ShardSet left) {
    List<CommitEffect> effects = new ArrayList<>();
    prepared.indexes().forEach(shard -> effects.add(new CommitEffect.CommitPrepared(shard)));
    return next(new Committing(prepared, left), effects);
  }

  private static Step next(Committing state, List<CommitEffect> before) {
    if (!state.awaited.isEmpty()) {
      return new Step(state, before);
    }
    return Done.step(Outcome.COMMITTED, new CommitEffect.AnswerCommitted(), state.left);
  }

  @Override
  public Step onCommittedPrepared(int shard) {
    if (!awaited.contains(shard)) {
      return CommitState.super.onCommittedPrepared(shard);
    }
    return next(new Committing(awaited.without(shard), left), List.of());
  }

  /** Also 42704, when recovery has committed it already: it will find nothing to do. */
  @Override
  public Step onFailed(int shard) {
    return awaited.contains(shard) ? leave(shard) : CommitState.super.onFailed(shard);
  }

  @Override
  public Step onConnectionLost(int shard) {
    return awaited.contains(shard) ? leave(shard) : new Step(this, List.of());
  }

  private Step leave(int shard) {
    return next(new Committing(awaited.without(shard), left.with(shard)), List.of());
  }

  @Override
  public String word() {
    return "committing";
  }
}
