package io.shardmark.proxy.routing;

/** A statement is not understood well enough to be routed; a server may understand it. */
final class SyntaxException extends RuntimeException {
  private static final long serialVersionUID = 1;

  SyntaxException(String message) {
    super(message);
  }
}
