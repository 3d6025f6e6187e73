package io.shardmark.proxy.routing;

/**
 * What COPY ... TO STDOUT over several shards needs to know.
 *
 * @param header the first line is a header (csv, text)
 * @param table as the client wrote it; "" for COPY of a query
 * @param columns the list of columns as the client wrote it, without parentheses; "" if none
 * @param options behind STDOUT, in words that fit COPY of a query too
 */
public record CopyOutput(boolean header, String table, String columns, String options) {}
