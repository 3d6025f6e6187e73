package io.shardmark.proxy.commit;

/** One thing to do for a commit; the effects of a step are done in their order. */
public sealed interface CommitEffect {
  /** Does it. */
  void perform(CommitActions actions);

  /** See {@link CommitActions#prepare}. */
  record Prepare(int shard) implements CommitEffect {
    @Override
    public void perform(CommitActions actions) {
      actions.prepare(shard);
    }
  }

  /** See {@link CommitActions#commit}. */
  record Commit(int shard) implements CommitEffect {
    @Override
    public void perform(CommitActions actions) {
      actions.commit(shard);
    }
  }

  /** See {@link CommitActions#rollback}. */
  record Rollback(int shard) implements CommitEffect {
    @Override
    public void perform(CommitActions actions) {
      actions.rollback(shard);
    }
  }

  /** See {@link CommitActions#decide}. */
  record Decide(int anchor) implements CommitEffect {
    @Override
    public void perform(CommitActions actions) {
      actions.decide(anchor);
    }
  }

  /** See {@link CommitActions#commitPrepared}. */
  record CommitPrepared(int shard) implements CommitEffect {
    @Override
    public void perform(CommitActions actions) {
      actions.commitPrepared(shard);
    }
  }

  /** See {@link CommitActions#rollbackPrepared}. */
  record RollbackPrepared(int shard) implements CommitEffect {
    @Override
    public void perform(CommitActions actions) {
      actions.rollbackPrepared(shard);
    }
  }

  /** See {@link CommitActions#askAnchor}. */
  record AskAnchor(int anchor) implements CommitEffect {
    @Override
    public void perform(CommitActions actions) {
      actions.askAnchor(anchor);
    }
  }

  /** See {@link CommitActions#answerCommitted}. */
  record AnswerCommitted() implements CommitEffect {
    @Override
    public void perform(CommitActions actions) {
      actions.answerCommitted();
    }
  }

  /** See {@link CommitActions#answerFailed}. */
  record AnswerFailed(CommitFailure failure) implements CommitEffect {
    @Override
    public void perform(CommitActions actions) {
      actions.answerFailed(failure);
    }
  }

  /** See {@link CommitActions#answerUnknown}. */
  record AnswerUnknown() implements CommitEffect {
    @Override
    public void perform(CommitActions actions) {
      actions.answerUnknown();
    }
  }

  /** See {@link CommitActions#recover}. */
  record Recover() implements CommitEffect {
    @Override
    public void perform(CommitActions actions) {
      actions.recover();
    }
  }
}
