package io.shardmark.proxy.sql;

import io.shardmark.proxy.protocol.SqlState;

/** A parameter that decides the route cannot be read as its type; nothing was sent. */
public final class KeyFormatException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient SqlState state;

  /** The value is not of the type. */
  public KeyFormatException(String message) {
    this(message, SqlState.INVALID_TEXT_REPRESENTATION);
  }

  private KeyFormatException(String message, SqlState state) {
    super(message);
    this.state = state;
  }

  /** A server might read the value, in a way that is not read here. */
  public static KeyFormatException notReadHere(String message) {
    return new KeyFormatException(message, SqlState.FEATURE_NOT_SUPPORTED);
  }

  /** A number that no key can be. */
  static KeyFormatException outOfRange(String message) {
    return new KeyFormatException(message, SqlState.NUMERIC_VALUE_OUT_OF_RANGE);
  }

  /** The error that the client gets if the value would have to be stored. */
  public SqlState state() {
    return state;
  }
}
