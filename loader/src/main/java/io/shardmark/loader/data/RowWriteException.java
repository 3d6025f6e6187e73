package io.shardmark.loader.data;

/**
 * Rows could not be written: the database or the file refused them, or the load is being stopped.
 * The unit of work that was being written is not complete; nothing of it stays in a database.
 */
public final class RowWriteException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RowWriteException(String message, Throwable cause) {
    super(message, cause);
  }

  public RowWriteException(String message) {
    super(message);
  }
}
