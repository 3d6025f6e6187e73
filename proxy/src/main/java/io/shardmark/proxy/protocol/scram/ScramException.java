package io.shardmark.proxy.protocol.scram;

import io.shardmark.proxy.protocol.SqlState;

/** A SCRAM exchange ends without a login; the connection is closed. */
public final class ScramException extends RuntimeException {
  private static final long serialVersionUID = 1;

  // Exceptions of the proxy are never serialised.
  private final transient SqlState sqlState;

  ScramException(SqlState sqlState, String message) {
    // No stack trace: strangers could make us collect them at will.
    super(message, null, false, false);
    this.sqlState = sqlState;
  }

  static ScramException malformed(String message) {
    return new ScramException(SqlState.PROTOCOL_VIOLATION, "malformed SCRAM message: " + message);
  }

  /** 28P01 if the proof is wrong; else why the exchange could not go on. */
  public SqlState sqlState() {
    return sqlState;
  }
}
