package io.shardmark.proxy.protocol;

/** The byte in ReadyForQuery. */
public enum TransactionStatus {
  /** Not in a transaction block. */
  IDLE('I'),
  /** In a transaction block. */
  IN_TRANSACTION('T'),
  /** In a failed transaction block: all but ROLLBACK is refused. */
  FAILED('E');

  private final byte code;

  TransactionStatus(char code) {
    this.code = (byte) code;
  }

  public byte code() {
    return code;
  }

  /**
   * The status of that byte.
   *
   * @throws ProtocolViolationException if it is invalid
   */
  public static TransactionStatus of(byte code) {
    return switch (code) {
      case 'I' -> IDLE;
      case 'T' -> IN_TRANSACTION;
      case 'E' -> FAILED;
      default ->
          throw new ProtocolViolationException(
              "ReadyForQuery has transaction status 0x%02x".formatted(code));
    };
  }
}
