package io.shardmark.proxy.commit;

import io.shardmark.proxy.shardmap.ShardSet;
import java.util.ArrayList;
import java.util.List;

/**
 * The commit has failed before the decision; every participant is being rolled back. A crash here
 * leaves prepared transactions without a decision, which recovery rolls back.
 *
 * @param failure the error that the client will get
 * @param preparing shards whose answer to PREPARE is missing
 * @param ending shards whose plain ROLLBACK (or a reader's COMMIT) is on its way: nothing stays
 *     there, whatever happens
 * @param undoing shards whose ROLLBACK PREPARED is on its way
 * @param left shards where recovery may have to roll back
 */
record Aborting(
    CommitFailure failure, ShardSet preparing, ShardSet ending, ShardSet undoing, ShardSet left)
    implements CommitState {

  /**
   * The way in.
   *
   * @param preparing as in the state
   * @param readers whose answer to COMMIT is missing
   * @param open shards to send ROLLBACK
   */
  static Entry because(CommitFailure failure, ShardSet preparing, ShardSet readers, ShardSet open) {
    return new Entry(failure, preparing, readers, open);
  }

  /** The first half of the arguments of entering. */
  record Entry(CommitFailure failure, ShardSet preparing, ShardSet readers, ShardSet open) {
    /**
     * @param prepared shards to send ROLLBACK PREPARED
     * @param left shards whose connection is lost and that may be prepared
     */
    Step enter(ShardSet prepared, ShardSet left) {
      List<CommitEffect> effects = new ArrayList<>();
      open.indexes().forEach(shard -> effects.add(new CommitEffect.Rollback(shard)));
      prepared.indexes().forEach(shard -> effects.add(new CommitEffect.RollbackPrepared(shard)));
      return new Aborting(failure, preparing, readers.union(open), prepared, left).then(effects);
    }
  }

  private Step then(List<CommitEffect> effects) {
    if (!preparing.isEmpty() || !ending.isEmpty() || !undoing.isEmpty()) {
      return new Step(this, effects);
    }
    return Done.step(Outcome.ABORTED, new CommitEffect.AnswerFailed(failure), left);
  }

  @Override
  public Step onPrepared(int shard) {
    if (!preparing.contains(shard)) {
      return CommitState.super.onPrepared(shard);
    }
    return new Aborting(failure, preparing.without(shard), ending, undoing.with(shard), left)
        .then(List.of(new CommitEffect.RollbackPrepared(shard)));
  }

  /** A reader's. */
  @Override
  public Step onCommitted(int shard) {
    return ending.contains(shard) ? settled(shard) : CommitState.super.onCommitted(shard);
  }

  @Override
  public Step onRolledBack(int shard) {
    return isAwaited(shard) ? settled(shard) : CommitState.super.onRolledBack(shard);
  }

  @Override
  public Step onFailed(int shard) {
    if (preparing.contains(shard)) {
      // Its block may still be open.
      return new Aborting(failure, preparing.without(shard), ending.with(shard), undoing, left)
          .then(List.of(new CommitEffect.Rollback(shard)));
    }
    // Also 42704 to a ROLLBACK PREPARED: recovery was first and will find nothing to do.
    return undoing.contains(shard)
        ? leave(shard)
        : ending.contains(shard) ? settled(shard) : CommitState.super.onFailed(shard);
  }

  @Override
  public Step onConnectionLost(int shard) {
    if (preparing.contains(shard) || undoing.contains(shard)) {
      return leave(shard);
    }
    return ending.contains(shard) ? settled(shard) : new Step(this, List.of());
  }

  private boolean isAwaited(int shard) {
    return preparing.contains(shard) || ending.contains(shard) || undoing.contains(shard);
  }

  private Step settled(int shard) {
    return without(shard, left).then(List.of());
  }

  private Step leave(int shard) {
    return without(shard, left.with(shard)).then(List.of());
  }

  private Aborting without(int shard, ShardSet nowLeft) {
    return new Aborting(
        failure, preparing.without(shard), ending.without(shard), undoing.without(shard), nowLeft);
  }

  @Override
  public String word() {
    return "rolling back";
  }
}
