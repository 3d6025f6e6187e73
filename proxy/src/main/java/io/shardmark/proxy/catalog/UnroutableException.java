package io.shardmark.proxy.catalog;

/** Why a table's partitions give no rule; ends at the table, never leaves this package. */
final class UnroutableException extends Exception {
  private static final long serialVersionUID = 1;

  /**
   * @param reason half a sentence that follows the table's name
   */
  UnroutableException(String reason) {
    super(reason);
  }
}
