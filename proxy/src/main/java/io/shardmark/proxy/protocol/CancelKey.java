package io.shardmark.proxy.protocol;

/**
 * What BackendKeyData gave and CancelRequest shows.
 *
 * @param secretKey 4 bytes in protocol 3.0, 4 to 256 from 3.2 on
 */
public record CancelKey(int processId, Bytes secretKey) {
  static final int MIN_KEY_BYTES = 4;
  static final int MAX_KEY_BYTES = 256;

  /**
   * Reads a whole BackendKeyData.
   *
   * @throws ProtocolViolationException if it is malformed
   */
  public static CancelKey read(Message message) {
    BodyReader body = message.fields();
    CancelKey key = new CancelKey(body.int32(), Bytes.rest(body));
    checkLength(body, key.secretKey.length());
    return key;
  }

  static void checkLength(BodyReader body, int keyBytes) {
    if (keyBytes < MIN_KEY_BYTES || keyBytes > MAX_KEY_BYTES) {
      throw body.violation(
          "has a key of "
              + keyBytes
              + " bytes, allowed are "
              + MIN_KEY_BYTES
              + " to "
              + MAX_KEY_BYTES);
    }
  }

  /** Without the key, which lets its owner cancel. */
  @Override
  public String toString() {
    return "CancelKey[processId=" + processId + "]";
  }
}
