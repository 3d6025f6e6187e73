package io.shardmark.proxy.protocol;

/**
 * The peer broke the protocol; its session ends with an ErrorResponse of this {@link #sqlState},
 * nobody else is touched.
 */
public final class ProtocolViolationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  // A record of one string; exceptions of the proxy are never serialised.
  private final transient SqlState sqlState;

  public ProtocolViolationException(String message) {
    this(SqlState.PROTOCOL_VIOLATION, message);
  }

  /** For what has its own code, such as an unsupported protocol version. */
  public ProtocolViolationException(SqlState sqlState, String message) {
    // No stack trace: peers could make us collect them at will, and the message says it all.
    super(message, null, false, false);
    this.sqlState = sqlState;
  }

  public SqlState sqlState() {
    return sqlState;
  }
}
