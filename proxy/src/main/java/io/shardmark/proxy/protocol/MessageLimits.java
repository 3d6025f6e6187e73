package io.shardmark.proxy.protocol;

/**
 * Which message types one direction knows and how long each may be, in bytes of the whole message;
 * checked before anything is allocated for it. Immutable.
 */
public final class MessageLimits {
  /** PQ_SMALL_MESSAGE_LIMIT: types that only hold names and numbers. */
  static final int SMALL_MESSAGE_BYTES = 10_000;

  /** PG_MAX_SASL_MESSAGE_LENGTH, and a margin for the mechanism's name. */
  static final int SASL_MESSAGE_BYTES = 1_200;

  /** PQ_LARGE_MESSAGE_LIMIT: what PostgreSQL itself takes, MaxAllocSize - 1. */
  public static final int LARGE_MESSAGE_BYTES = 0x3fff_fffe;

  private static final MessageLimits LOGIN = clientLogin();

  private final int[] byCode;

  private MessageLimits(int[] byCode) {
    this.byCode = byCode;
  }

  /** From a client that has not been authenticated: SASL messages only. */
  public static MessageLimits login() {
    return LOGIN;
  }

  /**
   * From a client.
   *
   * @param largeBytes for Query, Parse, Bind, FunctionCall and CopyData; the other types are small
   */
  public static MessageLimits client(int largeBytes) {
    int[] byCode = new int[256];
    for (FrontendType type : FrontendType.values()) {
      byCode[type.code() & 0xFF] = type.isLarge() ? checked(largeBytes) : SMALL_MESSAGE_BYTES;
    }
    byCode[FrontendType.PASSWORD.code()] = 0;
    return new MessageLimits(byCode);
  }

  /** From a server, each type alike: it is trusted more, and rows can be long. */
  public static MessageLimits server(int bytes) {
    int[] byCode = new int[256];
    for (BackendType type : BackendType.values()) {
      byCode[type.code() & 0xFF] = checked(bytes);
    }
    return new MessageLimits(byCode);
  }

  private static MessageLimits clientLogin() {
    int[] byCode = new int[256];
    byCode[FrontendType.PASSWORD.code()] = SASL_MESSAGE_BYTES;
    byCode[FrontendType.TERMINATE.code()] = Encoding.HEADER_LENGTH;
    return new MessageLimits(byCode);
  }

  private static int checked(int bytes) {
    if (bytes < SMALL_MESSAGE_BYTES || bytes > LARGE_MESSAGE_BYTES) {
      throw new IllegalArgumentException("message limit of " + bytes + " bytes");
    }
    return bytes;
  }

  /** The longest message of that type, in bytes with tag and length word; 0: not known here. */
  int maxBytes(byte code) {
    return byCode[code & 0xFF];
  }
}
