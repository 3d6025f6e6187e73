package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.BodyReader;
import io.shardmark.proxy.protocol.NameKind;
import io.shardmark.proxy.protocol.SqlState;
import java.util.Locale;

/** What a Describe or Close names (PG18 §54.7 protocol-message-formats). */
record Named(NameKind kind, String name) {
  /**
   * Reads a whole message. One that PostgreSQL takes for broken fails as it does there: with an
   * error after which everything up to Sync is skipped.
   *
   * @param message Describe or Close
   */
  static Named read(String message, ByteBuf buffer, int start, int length) {
    BodyReader body = BodyReader.ofMessage(message, buffer, start, length);
    byte code = body.int8();
    String name = body.string();
    requireEnd(body);
    for (NameKind kind : NameKind.values()) {
      if (kind.code() == code) {
        return new Named(kind, name);
      }
    }
    throw new StatementException(
        SqlState.PROTOCOL_VIOLATION,
        "invalid " + message.toUpperCase(Locale.ROOT) + " message subtype " + code);
  }

  /** A message ends where its last field does. */
  static void requireEnd(BodyReader body) {
    if (body.remaining() > 0) {
      throw new StatementException(SqlState.PROTOCOL_VIOLATION, "invalid message format");
    }
  }

  boolean isStatement() {
    return kind == NameKind.STATEMENT;
  }
}
