package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The messages that servers send, as values (PG18 §54.7 protocol-message-formats), for tests. */
public sealed interface BackendMessage
    permits BackendMessage.AuthenticationRequest,
        BackendMessage.Bodiless,
        BackendMessage.BackendKeyData,
        BackendMessage.CommandComplete,
        BackendMessage.CopyData,
        BackendMessage.CopyResponse,
        BackendMessage.DataRow,
        BackendMessage.ErrorResponse,
        BackendMessage.FunctionCallResponse,
        BackendMessage.NegotiateProtocolVersion,
        BackendMessage.NoticeResponse,
        BackendMessage.NotificationResponse,
        BackendMessage.ParameterDescription,
        BackendMessage.ParameterStatus,
        BackendMessage.ReadyForQuery,
        BackendMessage.RowDescription {
  /**
   * Reads a whole message as a {@link MessageFramer} delivers it.
   *
   * @throws ProtocolViolationException if it is malformed
   */
  static BackendMessage read(ByteBuf buffer, int start, int length) {
    BackendType type = BackendType.of(buffer.getByte(start));
    BodyReader body = BodyReader.ofMessage(type.messageName(), buffer, start, length);
    return switch (type) {
      case AUTHENTICATION -> new AuthenticationRequest(Authentication.read(body));
      case BACKEND_KEY_DATA -> BackendKeyData.decode(body);
      case BIND_COMPLETE -> Bodiless.BIND_COMPLETE.decode(body);
      case CLOSE_COMPLETE -> Bodiless.CLOSE_COMPLETE.decode(body);
      case COMMAND_COMPLETE -> CommandComplete.decode(body);
      case COPY_DATA -> CopyData.decode(body);
      case COPY_DONE -> Bodiless.COPY_DONE.decode(body);
      case COPY_IN_RESPONSE -> CopyResponse.decodeIn(body);
      case COPY_OUT_RESPONSE -> CopyResponse.decodeOut(body);
      case COPY_BOTH_RESPONSE -> CopyResponse.decodeBoth(body);
      case DATA_ROW -> DataRow.decode(body);
      case EMPTY_QUERY_RESPONSE -> Bodiless.EMPTY_QUERY_RESPONSE.decode(body);
      case ERROR_RESPONSE -> ErrorResponse.decode(body);
      case FUNCTION_CALL_RESPONSE -> FunctionCallResponse.decode(body);
      case NEGOTIATE_PROTOCOL_VERSION -> NegotiateProtocolVersion.decode(body);
      case NO_DATA -> Bodiless.NO_DATA.decode(body);
      case NOTICE_RESPONSE -> NoticeResponse.decode(body);
      case NOTIFICATION_RESPONSE -> NotificationResponse.decode(body);
      case PARAMETER_DESCRIPTION -> ParameterDescription.decode(body);
      case PARAMETER_STATUS -> ParameterStatus.decode(body);
      case PARSE_COMPLETE -> Bodiless.PARSE_COMPLETE.decode(body);
      case PORTAL_SUSPENDED -> Bodiless.PORTAL_SUSPENDED.decode(body);
      case READY_FOR_QUERY -> ReadyForQuery.decode(body);
      case ROW_DESCRIPTION -> RowDescription.decode(body);
    };
  }

  BackendType type();

  /** Appends the body. */
  void encodeBody(ByteBuf out);

  /** The fields as a trace shows them. */
  String fields();

  /** Appends the whole message. */
  default void encode(ByteBuf out) {
    int start = Encoding.begin(out, type().code());
    encodeBody(out);
    Encoding.end(out, start);
  }

  /** Messages without a body. */
  enum Bodiless implements BackendMessage {
    BIND_COMPLETE(BackendType.BIND_COMPLETE),
    CLOSE_COMPLETE(BackendType.CLOSE_COMPLETE),
    COPY_DONE(BackendType.COPY_DONE),
    EMPTY_QUERY_RESPONSE(BackendType.EMPTY_QUERY_RESPONSE),
    NO_DATA(BackendType.NO_DATA),
    PARSE_COMPLETE(BackendType.PARSE_COMPLETE),
    PORTAL_SUSPENDED(BackendType.PORTAL_SUSPENDED);

    private final BackendType type;

    Bodiless(BackendType type) {
      this.type = type;
    }

    Bodiless decode(BodyReader body) {
      body.expectEnd();
      return this;
    }

    @Override
    public BackendType type() {
      return type;
    }

    @Override
    public void encodeBody(ByteBuf out) {}

    @Override
    public String fields() {
      return "";
    }
  }

  /** A step of the login. */
  record AuthenticationRequest(Authentication request) implements BackendMessage {
    @Override
    public BackendType type() {
      return BackendType.AUTHENTICATION;
    }

    private int code() {
      // Java 17 cannot switch over sealed types.
      return request instanceof Authentication.CleartextPassword
          ? 3
          : request instanceof Authentication.Md5Password
              ? 5
              : request instanceof Authentication.Sasl
                  ? 10
                  : request instanceof Authentication.SaslContinue
                      ? 11
                      : request instanceof Authentication.SaslFinal
                          ? 12
                          : request instanceof Authentication.Other other ? other.code() : 0;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      out.writeInt(code());
      if (request instanceof Authentication.Md5Password md5) {
        md5.salt().writeTo(out);
      } else if (request instanceof Authentication.Sasl sasl) {
        sasl.mechanisms().forEach(mechanism -> Encoding.writeString(out, mechanism));
        out.writeByte(0);
      } else if (request instanceof Authentication.SaslContinue next) {
        Bytes.ofText(next.data()).writeTo(out);
      } else if (request instanceof Authentication.SaslFinal last) {
        Bytes.ofText(last.data()).writeTo(out);
      } else if (request instanceof Authentication.Other other) {
        other.data().writeTo(out);
      }
    }

    @Override
    public String fields() {
      return Integer.toString(code());
    }
  }

  /**
   * What a CancelRequest must show.
   *
   * @param secretKey 4 to 256 bytes
   */
  record BackendKeyData(int processId, Bytes secretKey) implements BackendMessage {
    static BackendKeyData decode(BodyReader body) {
      BackendKeyData data = new BackendKeyData(body.int32(), Bytes.rest(body));
      CancelKey.checkLength(body, data.secretKey.length());
      return data;
    }

    @Override
    public BackendType type() {
      return BackendType.BACKEND_KEY_DATA;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      out.writeInt(processId);
      secretKey.writeTo(out);
    }

    /** Whoever knows the key can cancel. */
    @Override
    public String fields() {
      return "...";
    }
  }

  /** The end of a statement. */
  record CommandComplete(String tag) implements BackendMessage {
    /** Reads a whole message. */
    public static CommandComplete read(ByteBuf buffer, int start, int length) {
      return decode(BodyReader.ofMessage("CommandComplete", buffer, start, length));
    }

    static CommandComplete decode(BodyReader body) {
      CommandComplete complete = new CommandComplete(body.string());
      body.expectEnd();
      return complete;
    }

    @Override
    public BackendType type() {
      return BackendType.COMMAND_COMPLETE;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      Encoding.writeString(out, tag);
    }

    @Override
    public String fields() {
      return Trace.quoted(tag);
    }
  }

  /** A part of what is copied out. */
  record CopyData(Bytes data) implements BackendMessage {
    static CopyData decode(BodyReader body) {
      return new CopyData(Bytes.rest(body));
    }

    @Override
    public BackendType type() {
      return BackendType.COPY_DATA;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      data.writeTo(out);
    }

    @Override
    public String fields() {
      return data.toString();
    }
  }

  /** CopyInResponse, CopyOutResponse, CopyBothResponse. */
  record CopyResponse(BackendType type, CopyFormats formats) implements BackendMessage {
    static CopyResponse decodeIn(BodyReader body) {
      return new CopyResponse(BackendType.COPY_IN_RESPONSE, CopyFormats.decode(body));
    }

    static CopyResponse decodeOut(BodyReader body) {
      return new CopyResponse(BackendType.COPY_OUT_RESPONSE, CopyFormats.decode(body));
    }

    static CopyResponse decodeBoth(BodyReader body) {
      return new CopyResponse(BackendType.COPY_BOTH_RESPONSE, CopyFormats.decode(body));
    }

    @Override
    public void encodeBody(ByteBuf out) {
      out.writeByte(formats.format()).writeShort(formats.columnFormats().size());
      formats.columnFormats().forEach(out::writeShort);
    }

    @Override
    public String fields() {
      return formats.format() + " " + Values.trace(formats.columnFormats());
    }
  }

  /** A row; null is NULL. */
  record DataRow(List<@Nullable Bytes> values) implements BackendMessage {
    public DataRow {
      values = Values.copy(values);
    }

    static DataRow decode(BodyReader body) {
      DataRow row = new DataRow(Values.decodeAll(body));
      body.expectEnd();
      return row;
    }

    @Override
    public BackendType type() {
      return BackendType.DATA_ROW;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      Values.encodeAll(out, values);
    }

    @Override
    public String fields() {
      return Values.trace(values);
    }
  }

  /** A failure. */
  record ErrorResponse(ErrorFields error) implements BackendMessage {
    static ErrorResponse decode(BodyReader body) {
      return new ErrorResponse(ErrorFields.decode(body));
    }

    @Override
    public BackendType type() {
      return BackendType.ERROR_RESPONSE;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      error.encode(out);
    }

    @Override
    public String fields() {
      return Trace.error(error);
    }
  }

  /** The result of a FunctionCall; null is NULL. */
  record FunctionCallResponse(@Nullable Bytes value) implements BackendMessage {
    static FunctionCallResponse decode(BodyReader body) {
      FunctionCallResponse response = new FunctionCallResponse(Values.decode(body));
      body.expectEnd();
      return response;
    }

    @Override
    public BackendType type() {
      return BackendType.FUNCTION_CALL_RESPONSE;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      Values.encode(out, value);
    }

    @Override
    public String fields() {
      return value == null ? "NULL" : value.toString();
    }
  }

  /** The server speaks an older minor version, or does not know some of the client's options. */
  record NegotiateProtocolVersion(ProtocolVersion newest, List<String> unknownOptions)
      implements BackendMessage {
    public NegotiateProtocolVersion {
      unknownOptions = List.copyOf(unknownOptions);
    }

    static NegotiateProtocolVersion decode(BodyReader body) {
      ProtocolVersion newest = ProtocolVersion.ofWord(body.int32());
      int count = body.int32();
      if (count < 0 || count > body.remaining()) {
        throw body.violation("declares " + count + " options, " + body.remaining() + " bytes left");
      }
      List<String> options = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        options.add(body.string());
      }
      body.expectEnd();
      return new NegotiateProtocolVersion(newest, options);
    }

    @Override
    public BackendType type() {
      return BackendType.NEGOTIATE_PROTOCOL_VERSION;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      out.writeInt(newest.word()).writeInt(unknownOptions.size());
      unknownOptions.forEach(option -> Encoding.writeString(out, option));
    }

    @Override
    public String fields() {
      return newest + " " + Values.trace(unknownOptions);
    }
  }

  /** A message that is no failure. */
  record NoticeResponse(ErrorFields notice) implements BackendMessage {
    static NoticeResponse decode(BodyReader body) {
      return new NoticeResponse(ErrorFields.decode(body));
    }

    @Override
    public BackendType type() {
      return BackendType.NOTICE_RESPONSE;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      notice.encode(out);
    }

    @Override
    public String fields() {
      return Trace.error(notice);
    }
  }

  /** What NOTIFY sent. */
  record NotificationResponse(int processId, String channel, String payload)
      implements BackendMessage {
    static NotificationResponse decode(BodyReader body) {
      NotificationResponse response =
          new NotificationResponse(body.int32(), body.string(), body.string());
      body.expectEnd();
      return response;
    }

    @Override
    public BackendType type() {
      return BackendType.NOTIFICATION_RESPONSE;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      out.writeInt(processId);
      Encoding.writeString(out, channel);
      Encoding.writeString(out, payload);
    }

    @Override
    public String fields() {
      return processId + " " + Trace.quoted(channel) + " " + Trace.quoted(payload);
    }
  }

  /** The parameters of a statement. */
  record ParameterDescription(List<Integer> typeOids) implements BackendMessage {
    public ParameterDescription {
      typeOids = List.copyOf(typeOids);
    }

    /** Reads a whole message. */
    public static ParameterDescription read(ByteBuf buffer, int start, int length) {
      return decode(BodyReader.ofMessage("ParameterDescription", buffer, start, length));
    }

    static ParameterDescription decode(BodyReader body) {
      ParameterDescription description = new ParameterDescription(Values.decodeOids(body));
      body.expectEnd();
      return description;
    }

    @Override
    public BackendType type() {
      return BackendType.PARAMETER_DESCRIPTION;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      Values.encodeOids(out, typeOids);
    }

    @Override
    public String fields() {
      return Values.trace(typeOids);
    }
  }

  /** The value of a session parameter that is reported. */
  record ParameterStatus(String name, String value) implements BackendMessage {
    /** Reads a whole message. */
    public static ParameterStatus read(ByteBuf buffer, int start, int length) {
      return decode(BodyReader.ofMessage("ParameterStatus", buffer, start, length));
    }

    static ParameterStatus decode(BodyReader body) {
      ParameterStatus status = new ParameterStatus(body.string(), body.string());
      body.expectEnd();
      return status;
    }

    @Override
    public BackendType type() {
      return BackendType.PARAMETER_STATUS;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      Encoding.writeString(out, name);
      Encoding.writeString(out, value);
    }

    @Override
    public String fields() {
      return Trace.quoted(name) + " " + Trace.quoted(value);
    }
  }

  /** The server has answered all up to a Query or Sync. */
  record ReadyForQuery(TransactionStatus status) implements BackendMessage {
    static ReadyForQuery decode(BodyReader body) {
      ReadyForQuery ready = new ReadyForQuery(TransactionStatus.of(body.int8()));
      body.expectEnd();
      return ready;
    }

    @Override
    public BackendType type() {
      return BackendType.READY_FOR_QUERY;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      out.writeByte(status.code());
    }

    @Override
    public String fields() {
      return String.valueOf((char) status.code());
    }
  }

  /** The columns of the rows that follow, or would. */
  record RowDescription(List<RowField> rowFields) implements BackendMessage {
    public RowDescription {
      rowFields = List.copyOf(rowFields);
    }

    static RowDescription decode(BodyReader body) {
      return new RowDescription(RowField.decodeAll(body));
    }

    @Override
    public BackendType type() {
      return BackendType.ROW_DESCRIPTION;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      out.writeShort(rowFields.size());
      rowFields.forEach(field -> field.encode(out));
    }

    @Override
    public String fields() {
      return Values.trace(rowFields.stream().map(Trace::field).toList());
    }
  }
}
