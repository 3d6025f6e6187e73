package io.shardmark.proxy.commit;

/** The first thing that went wrong in an end; it is the error that the client gets. */
public sealed interface CommitFailure {
  /** The client asked for a ROLLBACK, or takes the transaction for failed: no failure at all. */
  record Asked() implements CommitFailure {}

  /**
   * A server reported an error: the session kept that shard's ErrorResponse and passes it on
   * verbatim.
   */
  record ServerError(int shard) implements CommitFailure {}

  /** A server answered {@code ROLLBACK} where we asked to commit; so does the session. */
  record AnsweredRollback(int shard) implements CommitFailure {}

  /** The connection to a participant broke before the decision: 08006. */
  record ConnectionLost(int shard) implements CommitFailure {}

  /** The connection broke with the COMMIT in flight that decides: 08007. */
  record OutcomeUnknown() implements CommitFailure {}

  /**
   * Recovery, perhaps of another proxy, took this transaction for abandoned and rolled it back:
   * 40001, since doing it again may succeed.
   */
  record DecidedByRecovery() implements CommitFailure {}
}
