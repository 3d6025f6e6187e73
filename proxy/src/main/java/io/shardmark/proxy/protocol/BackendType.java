package io.shardmark.proxy.protocol;

import org.jspecify.annotations.Nullable;

/** The types of messages that servers send (PG18 §54.7 protocol-message-formats). */
public enum BackendType {
  AUTHENTICATION('R', "Authentication", Authentication::decode),
  BACKEND_KEY_DATA('K', "BackendKeyData", BackendMessage.BackendKeyData::decode),
  BIND_COMPLETE('2', "BindComplete", body -> BackendMessage.Bodiless.BIND_COMPLETE.decode(body)),
  CLOSE_COMPLETE('3', "CloseComplete", body -> BackendMessage.Bodiless.CLOSE_COMPLETE.decode(body)),
  COMMAND_COMPLETE('C', "CommandComplete", BackendMessage.CommandComplete::decode),
  COPY_DATA('d', "CopyData", BackendMessage.CopyData::decode),
  COPY_DONE('c', "CopyDone", body -> BackendMessage.Bodiless.COPY_DONE.decode(body)),
  COPY_IN_RESPONSE('G', "CopyInResponse", BackendMessage.CopyResponse::decodeIn),
  COPY_OUT_RESPONSE('H', "CopyOutResponse", BackendMessage.CopyResponse::decodeOut),
  COPY_BOTH_RESPONSE('W', "CopyBothResponse", BackendMessage.CopyResponse::decodeBoth),
  DATA_ROW('D', "DataRow", BackendMessage.DataRow::decode),
  EMPTY_QUERY_RESPONSE(
      'I', "EmptyQueryResponse", body -> BackendMessage.Bodiless.EMPTY_QUERY_RESPONSE.decode(body)),
  ERROR_RESPONSE('E', "ErrorResponse", BackendMessage.ErrorResponse::decode),
  FUNCTION_CALL_RESPONSE('V', "FunctionCallResponse", BackendMessage.FunctionCallResponse::decode),
  NEGOTIATE_PROTOCOL_VERSION(
      'v', "NegotiateProtocolVersion", BackendMessage.NegotiateProtocolVersion::decode),
  NO_DATA('n', "NoData", body -> BackendMessage.Bodiless.NO_DATA.decode(body)),
  NOTICE_RESPONSE('N', "NoticeResponse", BackendMessage.NoticeResponse::decode),
  NOTIFICATION_RESPONSE('A', "NotificationResponse", BackendMessage.NotificationResponse::decode),
  PARAMETER_DESCRIPTION('t', "ParameterDescription", BackendMessage.ParameterDescription::decode),
  PARAMETER_STATUS('S', "ParameterStatus", BackendMessage.ParameterStatus::decode),
  PARSE_COMPLETE('1', "ParseComplete", body -> BackendMessage.Bodiless.PARSE_COMPLETE.decode(body)),
  PORTAL_SUSPENDED(
      's', "PortalSuspended", body -> BackendMessage.Bodiless.PORTAL_SUSPENDED.decode(body)),
  READY_FOR_QUERY('Z', "ReadyForQuery", BackendMessage.ReadyForQuery::decode),
  ROW_DESCRIPTION('T', "RowDescription", BackendMessage.RowDescription::decode);

  // Every byte has a slot, also 0x7F and 0xFF.
  private static final @Nullable BackendType[] BY_CODE = new BackendType[256];

  static {
    for (BackendType type : values()) {
      BY_CODE[type.code & 0xFF] = type;
    }
  }

  private interface Decoder {
    BackendMessage decode(BodyReader body);
  }

  private final byte code;
  private final String messageName;

  @SuppressWarnings("ImmutableEnumChecker") // lambdas that capture nothing
  private final Decoder decoder;

  BackendType(char code, String messageName, Decoder decoder) {
    this.code = (byte) code;
    this.messageName = messageName;
    this.decoder = decoder;
  }

  /** As the protocol's text names it. */
  public String messageName() {
    return messageName;
  }

  BackendMessage decode(BodyReader body) {
    return decoder.decode(body);
  }

  public byte code() {
    return code;
  }

  /**
   * The type of that tag byte.
   *
   * @throws ProtocolViolationException if it is none
   */
  public static BackendType of(byte code) {
    BackendType type = BY_CODE[code & 0xFF];
    if (type == null) {
      throw new ProtocolViolationException("unknown backend message type 0x%02x".formatted(code));
    }
    return type;
  }
}
