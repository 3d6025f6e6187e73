package io.shardmark.driver.benchmark;

/**
 * What no terminal can go on with, since the user's input does not allow it: ends the run as
 * aborted. The message says what to do, and is all that is shown.
 */
public class CannotGoOnException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CannotGoOnException(String message) {
    super(message);
  }
}
