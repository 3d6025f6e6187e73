package io.shardmark.proxy.shardmap;

/**
 * A column of a table.
 *
 * @param typeOid as in pg_type
 * @param byteOrdered text compares as its bytes do (collation C, POSIX or C.UTF-8); true for types
 *     without a collation
 */
public record Column(String name, int typeOid, boolean byteOrdered) {}
