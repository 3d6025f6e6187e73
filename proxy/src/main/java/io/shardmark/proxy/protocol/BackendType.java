package io.shardmark.proxy.protocol;

import org.jspecify.annotations.Nullable;

/** The types of messages that servers send (PG18 §54.7 protocol-message-formats). */
public enum BackendType {
  AUTHENTICATION('R'),
  BACKEND_KEY_DATA('K'),
  BIND_COMPLETE('2'),
  CLOSE_COMPLETE('3'),
  COMMAND_COMPLETE('C'),
  COPY_DATA('d'),
  COPY_DONE('c'),
  COPY_IN_RESPONSE('G'),
  COPY_OUT_RESPONSE('H'),
  COPY_BOTH_RESPONSE('W'),
  DATA_ROW('D'),
  EMPTY_QUERY_RESPONSE('I'),
  ERROR_RESPONSE('E'),
  FUNCTION_CALL_RESPONSE('V'),
  NEGOTIATE_PROTOCOL_VERSION('v'),
  NO_DATA('n'),
  NOTICE_RESPONSE('N'),
  NOTIFICATION_RESPONSE('A'),
  PARAMETER_DESCRIPTION('t'),
  PARAMETER_STATUS('S'),
  PARSE_COMPLETE('1'),
  PORTAL_SUSPENDED('s'),
  READY_FOR_QUERY('Z'),
  ROW_DESCRIPTION('T');

  // Every byte has a slot, also 0x7F and 0xFF.
  private static final @Nullable BackendType[] BY_CODE = new BackendType[256];

  static {
    for (BackendType type : values()) {
      BY_CODE[type.code & 0xFF] = type;
    }
  }

  private final byte code;

  BackendType(char code) {
    this.code = (byte) code;
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
