package io.shardmark.loader;

import org.jspecify.annotations.Nullable;

/**
 * A load did not complete. The message is one or more lines that say what failed, what is missing
 * and what to do; the command line prints it and exits with a non-zero status.
 */
public final class LoadException extends Exception {
  private static final long serialVersionUID = 1L;

  public LoadException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  public LoadException(String message) {
    super(message);
  }
}
