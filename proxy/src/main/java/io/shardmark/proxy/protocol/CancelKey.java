package io.shardmark.proxy.protocol;

/**
 * What BackendKeyData gave and CancelRequest shows.
 *
 * @param secretKey 4 bytes in protocol 3.0, 4 to 256 from 3.2 on
 */
public record CancelKey(int processId, Bytes secretKey) {
  static final int MIN_KEY_BYTES = 4;
  static final int MAX_KEY_BYTES = 256;

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

  /** Without the key: whoever knows it can cancel. */
  @Override
  public String toString() {
    return "CancelKey[processId=" + processId + "]";
  }
}
