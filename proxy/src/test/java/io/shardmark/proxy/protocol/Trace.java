package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;

/**
 * Messages as one-line texts, for tests and debugging: who sent it (F a client, B a server), its
 * name, its length in bytes with the tag, its fields; {@code F Bind 13 "" "" 0 0 0}. Passwords,
 * proofs and keys are left out; parameter values and rows are not, so a trace is no log line.
 */
public final class Trace {
  private Trace() {}

  /** One line, without an end of line, for a message of a client. */
  public static String frontend(ByteBuf buffer, int start, int length) {
    FrontendMessage message = FrontendMessage.read(buffer, start, length);
    return line('F', message.type().messageName(), length, message.fields());
  }

  /** One line, without an end of line, for a message of a server. */
  public static String backend(ByteBuf buffer, int start, int length) {
    BackendMessage message = BackendMessage.read(buffer, start, length);
    return line('B', message.type().messageName(), length, message.fields());
  }

  private static String line(char sender, String name, int length, String fields) {
    return sender + " " + name + " " + length + (fields.isEmpty() ? "" : " " + fields);
  }

  /** As libpq traces have them: type byte and text of each field. */
  static String error(ErrorFields error) {
    return "S \"%s\" C \"%s\" M %s"
            .formatted(error.severity(), error.sqlState(), quoted(error.message()))
        + (error.detail() == null ? "" : " D " + quoted(error.detail()))
        + (error.hint() == null ? "" : " H " + quoted(error.hint()));
  }

  static String field(RowField field) {
    return "%s %d %d %d %d %d %d"
        .formatted(
            quoted(field.name()),
            field.tableOid(),
            field.columnNumber(),
            field.typeOid(),
            field.typeSize(),
            field.typeModifier(),
            field.format());
  }

  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }
}
