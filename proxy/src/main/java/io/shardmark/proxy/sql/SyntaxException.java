package io.shardmark.proxy.sql;

/** A statement is not understood well enough to be routed; a server may understand it. */
public final class SyntaxException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public SyntaxException(String message) {
    super(message);
  }
}
