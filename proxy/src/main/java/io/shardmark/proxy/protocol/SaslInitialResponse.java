package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;

/**
 * The first message of a client in SASL authentication (PG18 §54.3 sasl-authentication).
 *
 * @param clientFirst what the mechanism says first; empty if nothing
 */
public record SaslInitialResponse(String mechanism, String clientFirst) {
  /**
   * Reads a whole message.
   *
   * @throws ProtocolViolationException if it is malformed
   */
  public static SaslInitialResponse read(ByteBuf buffer, int start, int length) {
    BodyReader body = BodyReader.ofMessage("SASLInitialResponse", buffer, start, length);
    String mechanism = body.string();
    int bytes = body.int32();
    if (bytes < -1) {
      throw body.violation("has a value of length " + bytes);
    }
    Bytes data = Bytes.read(body, Math.max(0, bytes));
    body.expectEnd();
    return new SaslInitialResponse(mechanism, data.text());
  }

  /** The text of a later message, SASLResponse. */
  public static String readContinuation(ByteBuf buffer, int start, int length) {
    return Bytes.rest(BodyReader.ofMessage("SASLResponse", buffer, start, length)).text();
  }

  @Override
  public String toString() {
    return "SASLInitialResponse " + mechanism;
  }
}
