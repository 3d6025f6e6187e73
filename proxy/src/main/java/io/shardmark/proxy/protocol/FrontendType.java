package io.shardmark.proxy.protocol;

import org.jspecify.annotations.Nullable;

/** The types of messages that clients send (PG18 §54.7 protocol-message-formats). */
public enum FrontendType {
  BIND('B', Size.LARGE, "Bind", FrontendMessage.Bind::decode),
  CLOSE('C', Size.SMALL, "Close", FrontendMessage.Close::decode),
  COPY_DATA('d', Size.LARGE, "CopyData", FrontendMessage.CopyData::decode),
  COPY_DONE('c', Size.SMALL, "CopyDone", body -> FrontendMessage.Bodiless.COPY_DONE.decode(body)),
  COPY_FAIL('f', Size.SMALL, "CopyFail", FrontendMessage.CopyFail::decode),
  DESCRIBE('D', Size.SMALL, "Describe", FrontendMessage.Describe::decode),
  EXECUTE('E', Size.SMALL, "Execute", FrontendMessage.Execute::decode),
  FLUSH('H', Size.SMALL, "Flush", body -> FrontendMessage.Bodiless.FLUSH.decode(body)),
  FUNCTION_CALL('F', Size.LARGE, "FunctionCall", FrontendMessage.FunctionCall::decode),
  PARSE('P', Size.LARGE, "Parse", FrontendMessage.Parse::decode),
  /** PasswordMessage, SASLInitialResponse and SASLResponse: the step of the login decides. */
  PASSWORD('p', Size.SMALL, "AuthenticationAnswer", FrontendMessage.AuthenticationAnswer::decode),
  QUERY('Q', Size.LARGE, "Query", FrontendMessage.Query::decode),
  SYNC('S', Size.SMALL, "Sync", body -> FrontendMessage.Bodiless.SYNC.decode(body)),
  TERMINATE('X', Size.SMALL, "Terminate", body -> FrontendMessage.Bodiless.TERMINATE.decode(body));

  private enum Size {
    SMALL,
    LARGE
  }

  private interface Decoder {
    FrontendMessage decode(BodyReader body);
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

  @SuppressWarnings("ImmutableEnumChecker") // lambdas that capture nothing
  private final Decoder decoder;

  FrontendType(char code, Size size, String messageName, Decoder decoder) {
    this.code = (byte) code;
    this.size = size;
    this.messageName = messageName;
    this.decoder = decoder;
  }

  /** As the protocol's text names it. */
  public String messageName() {
    return messageName;
  }

  FrontendMessage decode(BodyReader body) {
    return decoder.decode(body);
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
