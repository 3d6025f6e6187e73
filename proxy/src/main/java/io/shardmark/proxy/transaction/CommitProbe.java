package io.shardmark.proxy.transaction;

/** Told of each step of a commit, on the session's event loop; for tests of faults. */
public interface CommitProbe {
  /** Does nothing. */
  CommitProbe NONE = (step, gid, shard) -> {};

  /** The places, in their order. */
  enum Step {
    BEFORE_PREPARE,
    AFTER_PREPARE,
    BEFORE_DECIDE,
    AFTER_DECIDE,
    BEFORE_COMMIT_PREPARED,
    AFTER_COMMIT_PREPARED,
    BEFORE_COMMIT,
    AFTER_COMMIT,
    BEFORE_ROLLBACK,
    AFTER_ROLLBACK
  }

  /**
   * A step is about to be sent, or has been answered.
   *
   * @param gid "" for a commit that needs none
   * @param shard index of the participant
   */
  void reached(Step step, String gid, int shard);
}
