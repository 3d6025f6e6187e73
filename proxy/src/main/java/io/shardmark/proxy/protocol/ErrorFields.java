package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The fields of ErrorResponse and NoticeResponse (PG18 §54.8 protocol-error-fields). A server's
 * error is passed on as the bytes it came in; this is for those that the proxy raises or acts on.
 *
 * @param position 1-based, in characters of the query text
 * @param others all other fields by their type byte, such as {@code 'W'} (where)
 */
public record ErrorFields(
    Severity severity,
    SqlState sqlState,
    String message,
    @Nullable String detail,
    @Nullable String hint,
    @Nullable String position,
    Map<Character, String> others) {

  private static final char ROUTINE = 'R';

  public ErrorFields {
    others = Map.copyOf(others);
  }

  /** The statement fails. */
  public static ErrorFields error(SqlState sqlState, String message) {
    return of(Severity.ERROR, sqlState, message);
  }

  /** The error that the peer gets before its connection is closed. */
  public static ErrorFields of(ProtocolViolationException violation) {
    return fatal(violation.sqlState(), String.valueOf(violation.getMessage()));
  }

  /** The session ends. */
  public static ErrorFields fatal(SqlState sqlState, String message) {
    return of(Severity.FATAL, sqlState, message);
  }

  /** An error or notice with nothing but a message. */
  public static ErrorFields of(Severity severity, SqlState sqlState, String message) {
    return new ErrorFields(severity, sqlState, message, null, null, null, Map.of());
  }

  public ErrorFields withDetail(String text) {
    return new ErrorFields(severity, sqlState, message, text, hint, position, others);
  }

  /** Nothing to advise is no hint: psql would show an empty one. */
  public ErrorFields withHint(String text) {
    String hintOrNone = text.isEmpty() ? null : text;
    return new ErrorFields(severity, sqlState, message, detail, hintOrNone, position, others);
  }

  /** Of a text that follows so many characters of the client's. */
  public ErrorFields withPositionBehind(int characters) {
    if (position == null) {
      return this;
    }
    String moved = Integer.toString(Integer.parseInt(position) + characters);
    return new ErrorFields(severity, sqlState, message, detail, hint, moved, others);
  }

  /** Without a place in a text that the client has not written. */
  public ErrorFields withoutPosition() {
    return new ErrorFields(severity, sqlState, message, detail, hint, null, others);
  }

  /** Where in the server's source it was raised; "" if that is not said. */
  public String routine() {
    return others.getOrDefault(ROUTINE, "");
  }

  public ErrorFields withRoutine(String name) {
    Map<Character, String> more = Map.of(ROUTINE, name);
    return new ErrorFields(severity, sqlState, message, detail, hint, position, more);
  }

  /**
   * Reads a whole ErrorResponse or NoticeResponse.
   *
   * @throws ProtocolViolationException if it is malformed
   */
  public static ErrorFields read(Message message) {
    return decode(message.fields());
  }

  /** Reads the body of ErrorResponse or NoticeResponse. */
  static ErrorFields decode(BodyReader body) {
    Map<Character, String> fields = new TreeMap<>();
    for (byte type = body.int8(); type != 0; type = body.int8()) {
      fields.put((char) (type & 0xFF), body.string());
    }
    body.expectEnd();
    String severity = fields.remove('S');
    String plainSeverity = fields.remove('V');
    String code = fields.remove('C');
    String message = fields.remove('M');
    if (code == null || !SqlState.isValid(code)) {
      throw body.violation("has no valid SQLSTATE");
    }
    return new ErrorFields(
        Severity.of(plainSeverity != null ? plainSeverity : String.valueOf(severity)),
        new SqlState(code),
        message == null ? "" : message,
        fields.remove('D'),
        fields.remove('H'),
        fields.remove('P'),
        fields);
  }

  /** Writes the body of ErrorResponse or NoticeResponse. */
  void encode(ByteBuf out) {
    writeField(out, 'S', severity.name());
    writeField(out, 'V', severity.name());
    writeField(out, 'C', sqlState.code());
    writeField(out, 'M', message);
    writeField(out, 'D', detail);
    writeField(out, 'H', hint);
    writeField(out, 'P', position);
    new TreeMap<>(others).forEach((type, text) -> writeField(out, type, text));
    out.writeByte(0);
  }

  private static void writeField(ByteBuf out, char type, @Nullable String text) {
    if (text != null) {
      out.writeByte(type);
      Encoding.writeString(out, text);
    }
  }

  @Override
  public String toString() {
    return severity + " " + sqlState + ": " + message;
  }
}
