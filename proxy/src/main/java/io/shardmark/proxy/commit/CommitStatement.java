package io.shardmark.proxy.commit;

/** What is asked of a participant in the course of an end, each time in one Query. */
public enum CommitStatement {
  PREPARE("PREPARE TRANSACTION"),
  /** Of readers, and of the only writer. */
  COMMIT("COMMIT"),
  /** Also if no transaction may be open any more: the server answers that with a warning. */
  ROLLBACK("ROLLBACK"),
  /** The anchor's decision and COMMIT: everything sent before it has been answered. */
  DECIDE("COMMIT"),
  COMMIT_PREPARED("COMMIT PREPARED"),
  /** The same over another connection, which recovery opens: the session has lost its own. */
  RECOVER("COMMIT PREPARED"),
  ROLLBACK_PREPARED("ROLLBACK PREPARED");

  private final String tag;

  CommitStatement(String tag) {
    this.tag = tag;
  }

  /**
   * The command tag by which a server says that it is done (PG18 §54.7 protocol-message-formats).
   */
  public String tag() {
    return tag;
  }

  /** What a server's answer without an error says, by its last command tag. */
  public CommitState.Event event(String answered) {
    if (answered.equals(tag)) {
      return CommitState.Event.DONE;
    }
    return answered.equals(ROLLBACK.tag) ? CommitState.Event.ROLLED_BACK : CommitState.Event.FAILED;
  }
}
