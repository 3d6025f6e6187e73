package io.shardmark.proxy.protocol;

import org.jspecify.annotations.Nullable;

/** The types of messages that clients send (PG18 §54.7 protocol-message-formats). */
public enum FrontendType {
  BIND('B', Size.LARGE, "Bind"),
  CLOSE('C', Size.SMALL, "Close"),
  COPY_DATA('d', Size.LARGE, "CopyData"),
  COPY_DONE('c', Size.SMALL, "CopyDone"),
  COPY_FAIL('f', Size.SMALL, "CopyFail"),
  DESCRIBE('D', Size.SMALL, "Describe"),
  EXECUTE('E', Size.SMALL, "Execute"),
  FLUSH('H', Size.SMALL, "Flush"),
  FUNCTION_CALL('F', Size.LARGE, "FunctionCall"),
  PARSE('P', Size.LARGE, "Parse"),
  /** PasswordMessage, SASLInitialResponse and SASLResponse: the step of the login decides. */
  PASSWORD('p', Size.SMALL, "AuthenticationAnswer"),
  QUERY('Q', Size.LARGE, "Query"),
  SYNC('S', Size.SMALL, "Sync"),
  TERMINATE('X', Size.SMALL, "Terminate");

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
  private final String messageName;

  FrontendType(char code, Size size, String messageName) {
    this.code = (byte) code;
    this.size = size;
    this.messageName = messageName;
  }

  /** As the protocol's text names it. */
  public String messageName() {
    return messageName;
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
   * @throws ProtocolViolationException if it is invalid
   */
  public static FrontendType of(byte code) {
    FrontendType type = BY_CODE[code & 0xFF];
    if (type == null) {
      throw new ProtocolViolationException("unknown frontend message type 0x%02x".formatted(code));
    }
    return type;
  }
}
