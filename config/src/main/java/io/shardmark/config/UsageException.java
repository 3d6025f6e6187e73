package io.shardmark.config;

/**
 * The words of a command line cannot be understood. The message is one line that names the word and
 * what was expected; the command line prints it unchanged and exits with status 2.
 */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }
}
