package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * A field of RowDescription.
 *
 * @param tableOid 0 if it is no table's column
 * @param columnNumber in that table
 * @param typeSize negative for a variable width
 * @param format 0 text, 1 binary; 0 in the description of a statement
 */
public record RowField(
    String name,
    int tableOid,
    int columnNumber,
    int typeOid,
    int typeSize,
    int typeModifier,
    int format) {
  private static final int FIXED_BYTES = 18;

  /** A column of type text, in text format. */
  public static RowField text(String name) {
    return new RowField(name, 0, 0, PgType.TEXT.oid(), -1, -1, 0);
  }

  /** A column of type integer, in text format. */
  public static RowField int4(String name) {
    return new RowField(name, 0, 0, PgType.INT4.oid(), Integer.BYTES, -1, 0);
  }

  /** A column of type bigint, in text format. */
  public static RowField int8(String name) {
    return new RowField(name, 0, 0, PgType.INT8.oid(), Long.BYTES, -1, 0);
  }

  /**
   * The fields of a whole RowDescription.
   *
   * @throws ProtocolViolationException if it is malformed
   */
  public static List<RowField> readAll(Message message) {
    return decodeAll(message.fields());
  }

  static List<RowField> decodeAll(BodyReader body) {
    int count = body.count("fields", FIXED_BYTES + 1);
    List<RowField> fields = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      fields.add(decode(body));
    }
    body.expectEnd();
    return fields;
  }

  private static RowField decode(BodyReader body) {
    return new RowField(
        body.string(),
        body.int32(),
        body.int16(),
        body.int32(),
        body.int16(),
        body.int32(),
        body.int16());
  }

  void encode(ByteBuf out) {
    Encoding.writeString(out, name);
    out.writeInt(tableOid).writeShort(columnNumber);
    out.writeInt(typeOid).writeShort(typeSize).writeInt(typeModifier).writeShort(format);
  }
}
