package io.shardmark.proxy.protocol;

import org.jspecify.annotations.Nullable;

/** The types of messages that servers send (PG18 §54.7 protocol-message-formats). */
public enum BackendType {
  AUTHENTICATION('R', "Authentication"),
  BACKEND_KEY_DATA('K', "BackendKeyData"),
  BIND_COMPLETE('2', "BindComplete"),
  CLOSE_COMPLETE('3', "CloseComplete"),
  COMMAND_COMPLETE('C', "CommandComplete"),
  COPY_DATA('d', "CopyData"),
  COPY_DONE('c', "CopyDone"),
  COPY_IN_RESPONSE('G', "CopyInResponse"),
  COPY_OUT_RESPONSE('H', "CopyOutResponse"),
  COPY_BOTH_RESPONSE('W', "CopyBothResponse"),
  DATA_ROW('D', "DataRow"),
  EMPTY_QUERY_RESPONSE('I', "EmptyQueryResponse"),
  ERROR_RESPONSE('E', "ErrorResponse"),
  FUNCTION_CALL_RESPONSE('V', "FunctionCallResponse"),
  NEGOTIATE_PROTOCOL_VERSION('v', "NegotiateProtocolVersion"),
  NO_DATA('n', "NoData"),
  NOTICE_RESPONSE('N', "NoticeResponse"),
  NOTIFICATION_RESPONSE('A', "NotificationResponse"),
  PARAMETER_DESCRIPTION('t', "ParameterDescription"),
  PARAMETER_STATUS('S', "ParameterStatus"),
  PARSE_COMPLETE('1', "ParseComplete"),
  PORTAL_SUSPENDED('s', "PortalSuspended"),
  READY_FOR_QUERY('Z', "ReadyForQuery"),
  ROW_DESCRIPTION('T', "RowDescription");

  // Every byte has a slot, also 0x7F and 0xFF.
  private static final @Nullable BackendType[] BY_CODE = new BackendType[256];

  static {
    for (BackendType type : values()) {
      BY_CODE[type.code & 0xFF] = type;
    }
  }

  private final byte code;
  private final String messageName;

  BackendType(char code, String messageName) {
    this.code = (byte) code;
    this.messageName = messageName;
  }

  /** As the protocol's text names it. */
  public String messageName() {
    return messageName;
  }

  public byte code() {
    return code;
  }

  /**
   * The type of that tag byte.
   *
   * @throws ProtocolViolationException if it is invalid
   */
  public static BackendType of(byte code) {
    BackendType type = BY_CODE[code & 0xFF];
    if (type == null) {
      throw new ProtocolViolationException("unknown backend message type 0x%02x".formatted(code));
    }
    return type;
  }
}
