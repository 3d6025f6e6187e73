package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Map;

/**
 * Writes what the proxy says to servers (PG18 §54.7 protocol-message-formats). Every method appends
 * one whole message unless it says otherwise, and grows the buffer as needed.
 */
public final class FrontendMessages {
  static final int SSL_REQUEST_CODE = 80_877_103;
  static final int GSSENC_REQUEST_CODE = 80_877_104;
  static final int CANCEL_REQUEST_CODE = 80_877_102;

  private FrontendMessages() {}

  public static void query(ByteBuf out, String sql) {
    int start = Encoding.begin(out, FrontendType.QUERY.code());
    Encoding.writeString(out, sql);
    Encoding.end(out, start);
  }

  /** Parse from a text; unnamed if {@code statement} is empty. */
  public static void parse(ByteBuf out, String statement, String sql, int... typeOids) {
    int start = Encoding.begin(out, FrontendType.PARSE.code());
    Encoding.writeString(out, statement);
    Encoding.writeString(out, sql);
    out.writeShort(typeOids.length);
    for (int oid : typeOids) {
      out.writeInt(oid);
    }
    Encoding.end(out, start);
  }

  /**
   * Parse under a name of the proxy's own.
   *
   * @param definition text and parameter types as {@link ParseReader#definition} gave them
   */
  public static void parse(ByteBuf out, long statementId, byte[] definition) {
    out.ensureWritable(
        Encoding.HEADER_LENGTH + StatementName.encodedLength(statementId) + definition.length);
    int start = Encoding.begin(out, FrontendType.PARSE.code());
    StatementName.write(out, statementId);
    out.writeBytes(definition);
    Encoding.end(out, start);
  }

  /**
   * A received Bind with another statement name, without its end: the caller sends what follows its
   * names as a retained slice, so that values are not copied.
   */
  public static void bindPrefix(ByteBuf out, BindReader bind, long statementId) {
    int portalBytes = bind.portalBytes();
    int nameBytes = StatementName.encodedLength(statementId);
    int length = Integer.BYTES + portalBytes + nameBytes + bind.restLength();
    out.ensureWritable(1 + length - bind.restLength());
    out.writeByte(FrontendType.BIND.code()).writeInt(length);
    if (portalBytes == 1) {
      out.writeByte(0);
    } else {
      out.writeBytes(bind.buffer(), bind.portalStart(), portalBytes);
    }
    StatementName.write(out, statementId);
  }

  /** A received Bind with another statement name, copied whole: better where it is short. */
  public static void bind(ByteBuf out, BindReader bind, long statementId) {
    bindPrefix(out, bind, statementId);
    out.writeBytes(bind.buffer(), bind.restStart(), bind.restLength());
  }

  /** Bind of a statement without parameters, results in text. */
  public static void bind(ByteBuf out, String portal, String statement) {
    int start = Encoding.begin(out, FrontendType.BIND.code());
    Encoding.writeString(out, portal);
    Encoding.writeString(out, statement);
    out.writeShort(0).writeShort(0).writeShort(0);
    Encoding.end(out, start);
  }

  public static void describeStatement(ByteBuf out, long statementId) {
    named(out, FrontendType.DESCRIBE, statementId);
  }

  public static void describe(ByteBuf out, NameKind kind, String name) {
    named(out, FrontendType.DESCRIBE, kind, name);
  }

  public static void closeStatement(ByteBuf out, long statementId) {
    named(out, FrontendType.CLOSE, statementId);
  }

  public static void close(ByteBuf out, NameKind kind, String name) {
    named(out, FrontendType.CLOSE, kind, name);
  }

  private static void named(ByteBuf out, FrontendType type, long statementId) {
    int start = Encoding.begin(out, type.code());
    out.writeByte(NameKind.STATEMENT.code());
    StatementName.write(out, statementId);
    Encoding.end(out, start);
  }

  private static void named(ByteBuf out, FrontendType type, NameKind kind, String name) {
    int start = Encoding.begin(out, type.code());
    out.writeByte(kind.code());
    Encoding.writeString(out, name);
    Encoding.end(out, start);
  }

  /**
   * @param maxRows 0: all
   */
  public static void execute(ByteBuf out, String portal, int maxRows) {
    int start = Encoding.begin(out, FrontendType.EXECUTE.code());
    Encoding.writeString(out, portal);
    out.writeInt(maxRows);
    Encoding.end(out, start);
  }

  public static void sync(ByteBuf out) {
    Encoding.empty(out, FrontendType.SYNC.code());
  }

  public static void flush(ByteBuf out) {
    Encoding.empty(out, FrontendType.FLUSH.code());
  }

  public static void terminate(ByteBuf out) {
    Encoding.empty(out, FrontendType.TERMINATE.code());
  }

  /** The header of a CopyData whose {@code dataLength} bytes the caller appends. */
  public static void copyDataHeader(ByteBuf out, int dataLength) {
    out.ensureWritable(Encoding.HEADER_LENGTH);
    out.writeByte(FrontendType.COPY_DATA.code()).writeInt(Integer.BYTES + dataLength);
  }

  public static void copyDone(ByteBuf out) {
    Encoding.empty(out, FrontendType.COPY_DONE.code());
  }

  public static void copyFail(ByteBuf out, String reason) {
    int start = Encoding.begin(out, FrontendType.COPY_FAIL.code());
    Encoding.writeString(out, reason);
    Encoding.end(out, start);
  }

  /** PasswordMessage: a cleartext password or an MD5 answer. */
  public static void password(ByteBuf out, String password) {
    int start = Encoding.begin(out, FrontendType.PASSWORD.code());
    Encoding.writeString(out, password);
    Encoding.end(out, start);
  }

  public static void saslInitialResponse(ByteBuf out, String mechanism, String clientFirst) {
    int start = Encoding.begin(out, FrontendType.PASSWORD.code());
    Encoding.writeString(out, mechanism);
    int lengthAt = out.writerIndex();
    out.writeInt(0);
    out.setInt(lengthAt, ByteBufUtil.writeUtf8(out, clientFirst));
    Encoding.end(out, start);
  }

  public static void saslResponse(ByteBuf out, String data) {
    int start = Encoding.begin(out, FrontendType.PASSWORD.code());
    ByteBufUtil.writeUtf8(out, data);
    Encoding.end(out, start);
  }

  /** StartupMessage: no tag. The parameters include user and database. */
  public static void startup(ByteBuf out, ProtocolVersion version, Map<String, String> parameters) {
    int start = out.writerIndex();
    out.writeInt(0).writeInt(version.word());
    parameters.forEach(
        (name, value) -> {
          Encoding.writeString(out, name);
          Encoding.writeString(out, value);
        });
    out.writeByte(0);
    out.setInt(start, out.writerIndex() - start);
  }

  public static void sslRequest(ByteBuf out) {
    out.writeInt(2 * Integer.BYTES).writeInt(SSL_REQUEST_CODE);
  }

  public static void gssencRequest(ByteBuf out) {
    out.writeInt(2 * Integer.BYTES).writeInt(GSSENC_REQUEST_CODE);
  }

  /** CancelRequest: no tag, sent on its own connection, never answered. */
  public static void cancelRequest(ByteBuf out, int processId, byte[] secretKey) {
    out.writeInt(3 * Integer.BYTES + secretKey.length).writeInt(CANCEL_REQUEST_CODE);
    out.writeInt(processId).writeBytes(secretKey);
  }
}
