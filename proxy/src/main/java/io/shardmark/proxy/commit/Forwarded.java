package io.shardmark.proxy.commit;

import java.util.List;

/**
 * The client's own COMMIT or ROLLBACK is on its way to the only shard of its transaction, and the
 * answer goes to the client as it comes. A crash here leaves nothing to recover.
 *
 * @param commits whether it is a COMMIT
 */
record Forwarded(int shard, boolean commits) implements CommitState {
  static Step begin(int shard, boolean commits) {
    return new Step(new Forwarded(shard, commits), List.of());
  }

  @Override
  public Step onCommitted(int answering) {
    return answering == shard && commits
        ? over(Outcome.COMMITTED, new CommitEffect.AnswerCommitted())
        : CommitState.super.onCommitted(answering);
  }

  @Override
  public Step onRolledBack(int answering) {
    return answering == shard
        ? failed(new CommitFailure.AnsweredRollback(shard))
        : CommitState.super.onRolledBack(answering);
  }

  @Override
  public Step onFailed(int answering) {
    return answering == shard
        ? failed(new CommitFailure.ServerError(shard))
        : CommitState.super.onFailed(answering);
  }

  @Override
  public Step onConnectionLost(int lost) {
    if (lost != shard) {
      return new Step(this, List.of());
    }
    return commits
        ? over(Outcome.UNKNOWN, new CommitEffect.AnswerUnknown())
        : failed(new CommitFailure.ConnectionLost(shard));
  }

  private static Step failed(CommitFailure why) {
    return over(Outcome.ABORTED, new CommitEffect.AnswerFailed(why));
  }

  private static Step over(Outcome outcome, CommitEffect answer) {
    return new Step(new Done(outcome), List.of(answer));
  }

  @Override
  public String word() {
    return commits ? "committing" : "rolling back";
  }
}
