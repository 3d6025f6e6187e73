package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The messages that clients send, as values (PG18 §54.7 protocol-message-formats), for tests. */
public sealed interface FrontendMessage {
  /**
   * Reads a whole message as a {@link MessageFramer} delivers it.
   *
   * @throws ProtocolViolationException if it is malformed
   */
  static FrontendMessage read(ByteBuf buffer, int start, int length) {
    FrontendType type = FrontendType.of(buffer.getByte(start));
    BodyReader body = BodyReader.ofMessage(type.messageName(), buffer, start, length);
    return switch (type) {
      case BIND -> Bind.decode(body);
      case CLOSE -> Close.decode(body);
      case COPY_DATA -> CopyData.decode(body);
      case COPY_DONE -> Bodiless.COPY_DONE.decode(body);
      case COPY_FAIL -> CopyFail.decode(body);
      case DESCRIBE -> Describe.decode(body);
      case EXECUTE -> Execute.decode(body);
      case FLUSH -> Bodiless.FLUSH.decode(body);
      case FUNCTION_CALL -> FunctionCall.decode(body);
      case PARSE -> Parse.decode(body);
      case PASSWORD -> AuthenticationAnswer.decode(body);
      case QUERY -> Query.decode(body);
      case SYNC -> Bodiless.SYNC.decode(body);
      case TERMINATE -> Bodiless.TERMINATE.decode(body);
    };
  }

  FrontendType type();

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
  enum Bodiless implements FrontendMessage {
    COPY_DONE(FrontendType.COPY_DONE),
    FLUSH(FrontendType.FLUSH),
    SYNC(FrontendType.SYNC),
    TERMINATE(FrontendType.TERMINATE);

    private final FrontendType type;

    Bodiless(FrontendType type) {
      this.type = type;
    }

    Bodiless decode(BodyReader body) {
      body.expectEnd();
      return this;
    }

    @Override
    public FrontendType type() {
      return type;
    }

    @Override
    public void encodeBody(ByteBuf out) {}

    @Override
    public String fields() {
      return "";
    }
  }

  /** A text of any number of statements. */
  record Query(String sql) implements FrontendMessage {
    /** Reads a whole message. */
    public static Query read(ByteBuf buffer, int start, int length) {
      return decode(BodyReader.ofMessage("Query", buffer, start, length));
    }

    static Query decode(BodyReader body) {
      Query query = new Query(body.string());
      body.expectEnd();
      return query;
    }

    @Override
    public FrontendType type() {
      return FrontendType.QUERY;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      Encoding.writeString(out, sql);
    }

    @Override
    public String fields() {
      return Trace.quoted(sql);
    }
  }

  /** Makes a statement. */
  record Parse(String name, String sql, List<Integer> typeOids) implements FrontendMessage {
    public Parse {
      typeOids = List.copyOf(typeOids);
    }

    static Parse decode(BodyReader body) {
      Parse parse = new Parse(body.string(), body.string(), Values.decodeOids(body));
      body.expectEnd();
      return parse;
    }

    @Override
    public FrontendType type() {
      return FrontendType.PARSE;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      Encoding.writeString(out, name);
      Encoding.writeString(out, sql);
      Values.encodeOids(out, typeOids);
    }

    @Override
    public String fields() {
      return Trace.quoted(name) + " " + Trace.quoted(sql) + " " + Values.trace(typeOids);
    }
  }

  /** Makes a portal of a statement and values; null is NULL. */
  record Bind(
      String portal,
      String statement,
      List<Integer> formats,
      List<@Nullable Bytes> values,
      List<Integer> resultFormats)
      implements FrontendMessage {
    public Bind {
      formats = List.copyOf(formats);
      values = Values.copy(values);
      resultFormats = List.copyOf(resultFormats);
    }

    static Bind decode(BodyReader body) {
      Bind bind =
          new Bind(
              body.string(),
              body.string(),
              Values.decodeFormats(body),
              Values.decodeAll(body),
              Values.decodeFormats(body));
      body.expectEnd();
      if (bind.formats.size() > 1 && bind.formats.size() != bind.values.size()) {
        throw body.violation(
            "has " + bind.formats.size() + " formats for " + bind.values.size() + " parameters");
      }
      return bind;
    }

    @Override
    public FrontendType type() {
      return FrontendType.BIND;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      Encoding.writeString(out, portal);
      Encoding.writeString(out, statement);
      Values.encodeFormats(out, formats);
      Values.encodeAll(out, values);
      Values.encodeFormats(out, resultFormats);
    }

    @Override
    public String fields() {
      return Trace.quoted(portal)
          + " "
          + Trace.quoted(statement)
          + " "
          + Values.trace(formats)
          + " "
          + Values.trace(values)
          + " "
          + Values.trace(resultFormats);
    }
  }

  private static NameKind readKind(BodyReader body) {
    byte code = body.int8();
    return switch (code) {
      case 'S' -> NameKind.STATEMENT;
      case 'P' -> NameKind.PORTAL;
      default -> throw body.violation("names a thing of kind 0x%02x".formatted(code));
    };
  }

  /** Asks for the description of a statement or portal. */
  record Describe(NameKind kind, String name) implements FrontendMessage {
    static Describe decode(BodyReader body) {
      Describe describe = new Describe(readKind(body), body.string());
      body.expectEnd();
      return describe;
    }

    @Override
    public FrontendType type() {
      return FrontendType.DESCRIBE;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      out.writeByte(kind.code());
      Encoding.writeString(out, name);
    }

    @Override
    public String fields() {
      return (char) kind.code() + " " + Trace.quoted(name);
    }
  }

  /** Drops a statement or portal. */
  record Close(NameKind kind, String name) implements FrontendMessage {
    static Close decode(BodyReader body) {
      Close close = new Close(readKind(body), body.string());
      body.expectEnd();
      return close;
    }

    @Override
    public FrontendType type() {
      return FrontendType.CLOSE;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      out.writeByte(kind.code());
      Encoding.writeString(out, name);
    }

    @Override
    public String fields() {
      return (char) kind.code() + " " + Trace.quoted(name);
    }
  }

  /**
   * Runs a portal.
   *
   * @param maxRows 0: all
   */
  record Execute(String portal, int maxRows) implements FrontendMessage {
    static Execute decode(BodyReader body) {
      Execute execute = new Execute(body.string(), body.int32());
      body.expectEnd();
      return execute;
    }

    @Override
    public FrontendType type() {
      return FrontendType.EXECUTE;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      Encoding.writeString(out, portal);
      out.writeInt(maxRows);
    }

    @Override
    public String fields() {
      return Trace.quoted(portal) + " " + maxRows;
    }
  }

  /** A part of what is copied in; its ends need not be those of rows. */
  record CopyData(Bytes data) implements FrontendMessage {
    static CopyData decode(BodyReader body) {
      return new CopyData(Bytes.rest(body));
    }

    @Override
    public FrontendType type() {
      return FrontendType.COPY_DATA;
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

  /** The client gives up a copy. */
  record CopyFail(String reason) implements FrontendMessage {
    static CopyFail decode(BodyReader body) {
      CopyFail copyFail = new CopyFail(body.string());
      body.expectEnd();
      return copyFail;
    }

    @Override
    public FrontendType type() {
      return FrontendType.COPY_FAIL;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      Encoding.writeString(out, reason);
    }

    @Override
    public String fields() {
      return Trace.quoted(reason);
    }
  }

  /** The old way to call a function (PG18 §54.2.5 protocol-flow-function-call). */
  record FunctionCall(
      int functionOid, List<Integer> formats, List<@Nullable Bytes> values, int resultFormat)
      implements FrontendMessage {
    public FunctionCall {
      formats = List.copyOf(formats);
      values = Values.copy(values);
    }

    static FunctionCall decode(BodyReader body) {
      FunctionCall call =
          new FunctionCall(
              body.int32(), Values.decodeFormats(body), Values.decodeAll(body), body.int16());
      body.expectEnd();
      return call;
    }

    @Override
    public FrontendType type() {
      return FrontendType.FUNCTION_CALL;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      out.writeInt(functionOid);
      Values.encodeFormats(out, formats);
      Values.encodeAll(out, values);
      out.writeShort(resultFormat);
    }

    @Override
    public String fields() {
      return functionOid
          + " "
          + Values.trace(formats)
          + " "
          + Values.trace(values)
          + " "
          + resultFormat;
    }
  }

  /**
   * The answer to an authentication request: PasswordMessage, SASLInitialResponse or SASLResponse,
   * as the step of the login says, which alone reads it ({@link SaslInitialResponse}).
   */
  record AuthenticationAnswer(Bytes data) implements FrontendMessage {
    static AuthenticationAnswer decode(BodyReader body) {
      return new AuthenticationAnswer(Bytes.rest(body));
    }

    @Override
    public FrontendType type() {
      return FrontendType.PASSWORD;
    }

    @Override
    public void encodeBody(ByteBuf out) {
      data.writeTo(out);
    }

    /** Passwords and proofs are not for traces. */
    @Override
    public String fields() {
      return "...";
    }
  }
}
