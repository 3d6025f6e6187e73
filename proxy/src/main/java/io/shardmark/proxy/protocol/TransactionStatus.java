package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;

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
   * The status in a whole ReadyForQuery.
   *
   * @param start of the tag byte
   * @param length with tag and length word
   * @throws ProtocolViolationException if it is malformed
   */
  public static TransactionStatus read(ByteBuf buffer, int start, int length) {
    if (length != Encoding.HEADER_LENGTH + 1) {
      throw new ProtocolViolationException("ReadyForQuery is " + length + " bytes long");
    }
    return of(buffer.getByte(start + Encoding.HEADER_LENGTH));
  }

  /**
   * The status of that byte.
   *
   * @throws ProtocolViolationException if it is none
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
