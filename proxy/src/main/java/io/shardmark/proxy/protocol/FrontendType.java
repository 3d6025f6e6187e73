package io.shardmark.proxy.protocol;

import org.jspecify.annotations.Nullable;

/** The types of messages that clients send (PG18 §54.7 protocol-message-formats). */
public enum FrontendType {
  BIND('B', Size.LARGE),
  CLOSE('C', Size.SMALL),
  COPY_DATA('d', Size.LARGE),
  COPY_DONE('c', Size.SMALL),
  COPY_FAIL('f', Size.SMALL),
  DESCRIBE('D', Size.SMALL),
  EXECUTE('E', Size.SMALL),
  FLUSH('H', Size.SMALL),
  FUNCTION_CALL('F', Size.LARGE),
  PARSE('P', Size.LARGE),
  /** PasswordMessage, SASLInitialResponse and SASLResponse: the step of the login decides. */
  PASSWORD('p', Size.SMALL),
  QUERY('Q', Size.LARGE),
  SYNC('S', Size.SMALL),
  TERMINATE('X', Size.SMALL);

  private enum Size {
    SMALL,
    LARGE
  }

  // Every byte has a slot, also 0x7F and 0xFF.
  private static final @Nullable FrontendType[] BY_CODE = new FrontendType[256];

  static {
    for (FrontendType type : values()) {
      BY_CODE[type.code & 0xFF] = type;
    }
  }

  private final byte code;
  private final Size size;

  FrontendType(char code, Size size) {
    this.code = (byte) code;
    this.size = size;
  }

  public byte code() {
    return code;
  }

  boolean isLarge() {
    return size == Size.LARGE;
  }

  /**
   * The type of that tag byte.
   *
   * @throws ProtocolViolationException if it is none
   */
  public static FrontendType of(byte code) {
    FrontendType type = BY_CODE[code & 0xFF];
    if (type == null) {
      throw new ProtocolViolationException("unknown frontend message type 0x%02x".formatted(code));
    }
    return type;
  }
}
