package io.shardmark.proxy.merge;

/**
 * A field of RowDescription.
 *
 * @param binary format code 1
 */
public record ColumnDescription(
    String name,
    int tableOid,
    int columnNumber,
    int typeOid,
    int typeSize,
    int typeModifier,
    boolean binary) {}
