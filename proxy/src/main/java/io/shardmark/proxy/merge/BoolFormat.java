package io.shardmark.proxy.merge;

/** bool: one byte, 0 or 1, or the letters t and f. */
final class BoolFormat {
  private BoolFormat() {}

  static ValueFormat<Boolean> of(ColumnDescription column) {
    if (ValueType.of(column.typeOid()) != ValueType.BOOL) {
      throw ValueKey.refused(column, "was expected to be a boolean");
    }
    return column.binary()
        ? new ValueFormat<>(bytes -> bytes[0] != 0, value -> new byte[] {(byte) (value ? 1 : 0)})
        : new ValueFormat<>(
            bytes -> bytes[0] == 't', value -> new byte[] {(byte) (value ? 't' : 'f')});
  }
}
