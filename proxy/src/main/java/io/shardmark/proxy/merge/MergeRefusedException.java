package io.shardmark.proxy.merge;

import io.shardmark.proxy.protocol.SqlState;

/** Rows of several shards cannot be merged into a right answer; the statement fails. */
public final class MergeRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient SqlState sqlState;
  private final String hint;

  /**
   * @param sqlState 0A000 for what cannot be done, 53200 for what needs too much memory
   */
  public MergeRefusedException(SqlState sqlState, String message, String hint) {
    super(message);
    this.sqlState = sqlState;
    this.hint = hint;
  }

  public SqlState sqlState() {
    return sqlState;
  }

  public String hint() {
    return hint;
  }
}
