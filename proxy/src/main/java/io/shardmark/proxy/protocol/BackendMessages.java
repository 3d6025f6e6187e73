package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes what the proxy itself says to clients (PG18 §54.7 protocol-message-formats). Every method
 * appends one whole message and grows the buffer as needed.
 */
public final class BackendMessages {
  private static final int AUTHENTICATION_OK = 0;
  private static final int AUTHENTICATION_SASL = 10;
  private static final int AUTHENTICATION_SASL_CONTINUE = 11;
  private static final int AUTHENTICATION_SASL_FINAL = 12;

  private BackendMessages() {}

  public static void authenticationOk(ByteBuf out) {
    int start = Encoding.begin(out, BackendType.AUTHENTICATION.code());
    out.writeInt(AUTHENTICATION_OK);
    Encoding.end(out, start);
  }

  /** AuthenticationSASL with the mechanisms in order of preference. */
  public static void authenticationSasl(ByteBuf out, List<String> mechanisms) {
    int start = Encoding.begin(out, BackendType.AUTHENTICATION.code());
    out.writeInt(AUTHENTICATION_SASL);
    mechanisms.forEach(mechanism -> Encoding.writeString(out, mechanism));
    out.writeByte(0);
    Encoding.end(out, start);
  }

  public static void authenticationSaslContinue(ByteBuf out, String serverFirst) {
    authenticationData(out, AUTHENTICATION_SASL_CONTINUE, serverFirst);
  }

  public static void authenticationSaslFinal(ByteBuf out, String serverFinal) {
    authenticationData(out, AUTHENTICATION_SASL_FINAL, serverFinal);
  }

  private static void authenticationData(ByteBuf out, int step, String data) {
    int start = Encoding.begin(out, BackendType.AUTHENTICATION.code());
    out.writeInt(step);
    ByteBufUtil.writeUtf8(out, data);
    Encoding.end(out, start);
  }

  public static void parameterStatus(ByteBuf out, String name, String value) {
    int start = Encoding.begin(out, BackendType.PARAMETER_STATUS.code());
    Encoding.writeString(out, name);
    Encoding.writeString(out, value);
    Encoding.end(out, start);
  }

  /**
   * What a client needs to cancel.
   *
   * @param secretKey 4 bytes in protocol 3.0, 4 to 256 from 3.2 on
   */
  public static void backendKeyData(ByteBuf out, int processId, byte[] secretKey) {
    int start = Encoding.begin(out, BackendType.BACKEND_KEY_DATA.code());
    out.writeInt(processId).writeBytes(secretKey);
    Encoding.end(out, start);
  }

  /**
   * Sent in place of what the client asked for.
   *
   * @param minorVersion the newest minor version of protocol 3 that the proxy speaks, at most the
   *     client's
   * @param unknownOptions those _pq_. options of the client that nobody here knows
   */
  public static void negotiateProtocolVersion(
      ByteBuf out, int minorVersion, List<String> unknownOptions) {
    int start = Encoding.begin(out, BackendType.NEGOTIATE_PROTOCOL_VERSION.code());
    // PostgreSQL sends the whole version word here, major version included, and libpq wants it so.
    out.writeInt(ProtocolVersion.of(minorVersion).word()).writeInt(unknownOptions.size());
    unknownOptions.forEach(option -> Encoding.writeString(out, option));
    Encoding.end(out, start);
  }

  public static void readyForQuery(ByteBuf out, TransactionStatus status) {
    out.ensureWritable(Encoding.HEADER_LENGTH + 1);
    out.writeByte(BackendType.READY_FOR_QUERY.code()).writeInt(Integer.BYTES + 1);
    out.writeByte(status.code());
  }

  /**
   * @param tag such as {@code INSERT 0 1}
   */
  public static void commandComplete(ByteBuf out, String tag) {
    int start = Encoding.begin(out, BackendType.COMMAND_COMPLETE.code());
    Encoding.writeString(out, tag);
    Encoding.end(out, start);
  }

  public static void parseComplete(ByteBuf out) {
    Encoding.empty(out, BackendType.PARSE_COMPLETE.code());
  }

  public static void bindComplete(ByteBuf out) {
    Encoding.empty(out, BackendType.BIND_COMPLETE.code());
  }

  public static void closeComplete(ByteBuf out) {
    Encoding.empty(out, BackendType.CLOSE_COMPLETE.code());
  }

  public static void noData(ByteBuf out) {
    Encoding.empty(out, BackendType.NO_DATA.code());
  }

  public static void portalSuspended(ByteBuf out) {
    Encoding.empty(out, BackendType.PORTAL_SUSPENDED.code());
  }

  public static void emptyQueryResponse(ByteBuf out) {
    Encoding.empty(out, BackendType.EMPTY_QUERY_RESPONSE.code());
  }

  public static void rowDescription(ByteBuf out, List<RowField> fields) {
    int start = Encoding.begin(out, BackendType.ROW_DESCRIPTION.code());
    out.writeShort(fields.size());
    fields.forEach(field -> field.encode(out));
    Encoding.end(out, start);
  }

  /** A row of text values, as for SHOW; null is NULL. */
  public static void dataRow(ByteBuf out, List<? extends @Nullable String> values) {
    int start = Encoding.begin(out, BackendType.DATA_ROW.code());
    out.writeShort(values.size());
    for (String value : values) {
      if (value == null) {
        out.writeInt(-1);
      } else {
        int lengthAt = out.writerIndex();
        out.writeInt(0);
        out.setInt(lengthAt, ByteBufUtil.writeUtf8(out, value));
      }
    }
    Encoding.end(out, start);
  }

  /**
   * The first columns of a server's DataRow.
   *
   * @param end where in its buffer they end
   */
  public static void dataRow(ByteBuf out, Message row, int columns, int end) {
    int start = Encoding.begin(out, BackendType.DATA_ROW.code());
    out.writeShort(columns);
    int first = row.bodyStart() + Short.BYTES;
    out.writeBytes(row.buffer(), first, end - first);
    Encoding.end(out, start);
  }

  public static void parameterDescription(ByteBuf out, int[] typeOids) {
    int start = Encoding.begin(out, BackendType.PARAMETER_DESCRIPTION.code());
    out.writeShort(typeOids.length);
    for (int oid : typeOids) {
      out.writeInt(oid);
    }
    Encoding.end(out, start);
  }

  public static void errorResponse(ByteBuf out, ErrorFields fields) {
    int start = Encoding.begin(out, BackendType.ERROR_RESPONSE.code());
    fields.encode(out);
    Encoding.end(out, start);
  }

  public static void noticeResponse(ByteBuf out, ErrorFields fields) {
    int start = Encoding.begin(out, BackendType.NOTICE_RESPONSE.code());
    fields.encode(out);
    Encoding.end(out, start);
  }

  /** The header of a CopyData whose {@code dataLength} bytes the caller appends. */
  public static void copyDataHeader(ByteBuf out, int dataLength) {
    out.ensureWritable(Encoding.HEADER_LENGTH);
    out.writeByte(BackendType.COPY_DATA.code()).writeInt(Integer.BYTES + dataLength);
  }

  public static void copyDone(ByteBuf out) {
    Encoding.empty(out, BackendType.COPY_DONE.code());
  }
}
