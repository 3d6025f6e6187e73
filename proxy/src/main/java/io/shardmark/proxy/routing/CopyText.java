package io.shardmark.proxy.routing;

/**
 * Parts of a COPY of what may be on several shards, as the client wrote them.
 *
 * @param header the first line is a header (csv, text)
 * @param table "" for COPY of a query
 * @param columns the list of columns without parentheses; "" if none
 * @param options behind STDOUT, in words that fit COPY of a query too
 */
public record CopyText(boolean header, String table, String columns, String options) {}
