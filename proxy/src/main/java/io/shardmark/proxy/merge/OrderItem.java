package io.shardmark.proxy.merge;

/**
 * One item of ORDER BY.
 *
 * @param column position in a shard's answer, from 0; a negative one counts from the end, -1 is the
 *     last (for columns added after a {@code *})
 * @param byteOrdered texts in this column are in the order of their bytes (collation C, POSIX,
 *     C.UTF-8); of no concern for other types
 */
public record OrderItem(int column, boolean descending, boolean nullsFirst, boolean byteOrdered) {}
