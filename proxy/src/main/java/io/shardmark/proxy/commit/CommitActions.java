package io.shardmark.proxy.commit;

/**
 * What a commit asks of the session, on its event loop. Statements go to the shard's server
 * connection of this transaction; each is answered to the state by one event, after ReadyForQuery.
 */
public interface CommitActions {
  /** Send {@link CommitSql#prepare}. */
  void prepare(int shard);

  /** Send {@link CommitSql#COMMIT}. */
  void commit(int shard);

  /**
   * Send {@link CommitSql#ROLLBACK}, also if no transaction may be open any more: the server
   * answers that with a warning, which is swallowed.
   */
  void rollback(int shard);

  /** Send {@link CommitSql#decideAndCommit}: everything sent before it has been answered. */
  void decide(int anchor);

  /** Send {@link CommitSql#commitPrepared}. */
  void commitPrepared(int shard);

  /** Send {@link CommitSql#rollbackPrepared}. */
  void rollbackPrepared(int shard);

  /**
   * Find out on a new connection whether the anchor's lost COMMIT took effect (recovery's {@code
   * ask}), and raise {@link CommitState#onOutcome}.
   */
  void askAnchor(int anchor);

  /** The transaction is committed: the client gets {@code COMMIT}. */
  void answerCommitted();

  /** Nothing of the transaction stays: the client gets the error, or {@code ROLLBACK}. */
  void answerFailed(CommitFailure failure);

  /** The client gets 08007. */
  void answerUnknown();

  /**
   * Something is left for recovery to finish. Comes last: the gid is no longer the session's, and
   * recovery is asked to look at it soon.
   */
  void recover();
}
