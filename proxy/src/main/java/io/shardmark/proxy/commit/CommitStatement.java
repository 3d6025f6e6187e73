package io.shardmark.proxy.commit;

/** What a participant is asked in the course of an end, each time in one Query. */
public enum CommitStatement {
  PREPARE(CommitSql.PREPARE_TAG),
  /** Of readers, and of the only writer. */
  COMMIT(CommitSql.COMMIT_TAG),
  /** Also if no transaction may be open any more: the server answers that with a warning. */
  ROLLBACK(CommitSql.ROLLBACK_TAG),
  /** The anchor's decision and COMMIT: everything sent before it has been answered. */
  DECIDE(CommitSql.COMMIT_TAG),
  COMMIT_PREPARED(CommitSql.COMMIT_PREPARED_TAG),
  ROLLBACK_PREPARED(CommitSql.ROLLBACK_PREPARED_TAG);

  private final String tag;

  CommitStatement(String tag) {
    this.tag = tag;
  }

  /** What a server's answer without an error says, by its last command tag. */
  public CommitState.Event event(String answered) {
    if (answered.equals(tag)) {
      return CommitState.Event.DONE;
    }
    return answered.equals(CommitSql.ROLLBACK_TAG)
        ? CommitState.Event.ROLLED_BACK
        : CommitState.Event.FAILED;
  }
}
