package io.shardmark.config;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/**
 * What a message to users says of a fault: its first line. Servers and drivers add details in
 * further ones. Pure; any thread.
 */
public final class FirstLine {
  private FirstLine() {}

  /**
   * Never empty. Of a batch that was aborted, and of a pool that has no connection, it is the
   * cause, which is chained to it.
   */
  public static String of(Throwable fault) {
    boolean chained =
        (fault instanceof BatchUpdateException || fault instanceof SQLTransientConnectionException)
            && ((SQLException) fault).getNextException() != null;
    String message = (chained ? ((SQLException) fault).getNextException() : fault).getMessage();
    return message == null || message.isBlank()
        ? "no message"
        : message.strip().lines().findFirst().orElseThrow().strip();
  }

  /** The same, and what it was caused by unless the message says so: "I/O error (Broken pipe)". */
  public static String withCause(Throwable fault) {
    Throwable cause = fault.getCause();
    if (cause == null) {
      return of(fault);
    }
    String reason = cause.getMessage() == null ? cause.getClass().getSimpleName() : of(cause);
    return of(fault).contains(reason) ? of(fault) : "%s (%s)".formatted(of(fault), reason);
  }
}
