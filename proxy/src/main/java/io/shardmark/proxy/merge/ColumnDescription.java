package io.shardmark.proxy.merge;

/**
 * A field of RowDescription.
 *
 * @param binary format code 1
 * @param rounded texts that are not the whole value: extra_float_digits below 1
 */
public record ColumnDescription(
    String name,
    int tableOid,
    int columnNumber,
    int typeOid,
    int typeSize,
    int typeModifier,
    boolean binary,
    boolean rounded) {
  /** Texts are the whole value. */
  public ColumnDescription(
      String name,
      int tableOid,
      int columnNumber,
      int typeOid,
      int typeSize,
      int typeModifier,
      boolean binary) {
    this(name, tableOid, columnNumber, typeOid, typeSize, typeModifier, binary, false);
  }
}
