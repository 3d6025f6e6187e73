package io.shardmark.driver.coordination;

import java.io.IOException;

/** The other side sent what it may not send; the connection is closed. */
final class ProtocolException extends IOException {
  private static final long serialVersionUID = 1L;

  ProtocolException(String message) {
    super(message);
  }
}
