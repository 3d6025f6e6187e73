package io.shardmark.proxy.routing;

/** A parameter that decides the route cannot be read as its type; nothing was sent. */
public final class KeyFormatException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public KeyFormatException(String message) {
    super(message);
  }
}
