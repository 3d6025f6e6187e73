package io.shardmark.proxy.routing;

/**
 * A COPY TO STDOUT of what may be on several shards.
 *
 * @param header the first line is a header (csv, text)
 * @param sql what the shards are sent; "" for the statement as it is
 */
public record CopyText(boolean header, String sql) {}
